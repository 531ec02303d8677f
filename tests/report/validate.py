"""Other people's validators over the committed reports: tests/report/expected.

Each format is read by a library that landfall had no part in. A library that is not installed is named as such and
leaves its format unchecked; that is no pass, and the last line says how many were checked. `cargo xtask ci` runs it.
"""

import glob
import importlib.util
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
SCHEMA = os.path.join(HERE, "..", "..", "..", "shared", "data", "sarif-schema-2.1.0.json")


def files(ending):
    found = sorted(glob.glob(os.path.join(HERE, "expected", "*." + ending)))
    if not found:
        raise SystemExit(f"no file ends in .{ending}: nothing can be checked")
    return found


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def sarif_by_schema():
    import jsonschema

    if not os.path.exists(SCHEMA):
        return "the official schema is not beside the checkout"
    schema = load(SCHEMA)
    validator = jsonschema.validators.validator_for(schema)(schema)
    paths = files("sarif")
    for path in paths:
        validator.validate(load(path))
    return len(paths)


def sarif_by_tools():
    from sarif import loader

    paths = files("sarif")
    for path in paths:
        errors = loader.load_sarif_file(path).get_report().get_issue_count_for_severity("error")
        refused = os.path.basename(path).startswith(("refused", "contradicted"))
        assert (errors > 0) == refused, f"{path}: {errors} errors"
    return len(paths)


def junit():
    import junitparser

    paths = files("junit.xml")
    for path in paths:
        suites = junitparser.JUnitXml.fromfile(path)
        for suite in suites:
            cases = list(suite)
            of = lambda kind: sum(any(isinstance(one, kind) for one in case.result) for case in cases)
            counted = (len(cases), of(junitparser.Failure), of(junitparser.Skipped))
            assert cases and counted == (suite.tests, suite.failures, suite.skipped), f"{path}: {counted}"
            names = [(case.classname, case.name) for case in cases]
            assert len(set(names)) == len(names), f"{path}: a name twice"
            refused = os.path.basename(path).startswith(("refused", "contradicted"))
            assert (suite.failures > 0) == refused, path
    return len(paths)


def in_toto():
    import google.protobuf.json_format as pb_json
    from in_toto_attestation.predicates.vsa.v1 import vsa_pb2
    from in_toto_attestation.v1 import resource_descriptor_pb2, statement_pb2
    from in_toto_attestation.v1.resource_descriptor import ResourceDescriptor
    from in_toto_attestation.v1.statement import Statement

    paths = files("in-toto.json")
    for path in paths:
        value = load(path)
        # Unknown fields are refused by both.
        statement = Statement.copy_from_pb(pb_json.ParseDict(value, statement_pb2.Statement()))
        statement.validate()
        assert statement.pb.predicate_type == "https://slsa.dev/verification_summary/v1"
        # The specification has a list of levels; this library's message has one text. All else is as it is read.
        (level,) = value["predicate"]["verifiedLevels"]
        summary = pb_json.ParseDict({**value["predicate"], "verifiedLevels": level}, vsa_pb2.VerificationSummary())
        assert summary.verifier.id and summary.resource_uri and summary.verified_levels, path
        for descriptor in [value["predicate"]["policy"], *value["predicate"]["inputAttestations"]]:
            ResourceDescriptor.copy_from_pb(pb_json.ParseDict(descriptor, resource_descriptor_pb2.ResourceDescriptor())).validate()
        passed = os.path.basename(path).startswith("accepted")
        assert summary.verification_result == ("PASSED" if passed else "FAILED"), path
    return len(paths)


def prov():
    from prov.model import ProvActivity, ProvDocument, ProvEntity, ProvUsage

    paths = files("prov.json")
    for path in paths:
        document = ProvDocument.deserialize(path, format="json")
        assert list(document.get_records(ProvActivity)) and list(document.get_records(ProvEntity)), path
        known = {record.identifier for record in document.get_records() if record.identifier}
        for usage in document.get_records(ProvUsage):
            for _, value in usage.formal_attributes:
                assert value is None or value in known, f"{path}: {value} is nowhere"
        again = ProvDocument.deserialize(content=document.serialize(format="json"), format="json")
        assert again == document, path
    return len(paths)


CHECKS = [
    ("jsonschema", "SARIF by the official schema", sarif_by_schema),
    ("sarif", "SARIF by sarif-tools", sarif_by_tools),
    ("junitparser", "JUnit by junitparser", junit),
    ("in_toto_attestation", "in-toto by in-toto-attestation", in_toto),
    ("prov", "PROV by prov", prov),
]


def main():
    checked, absent = 0, []
    for module, name, check in CHECKS:
        if importlib.util.find_spec(module) is None:
            print(f"SKIPPED: {name}: {module} is not installed; nothing was checked")
            absent.append(module)
            continue
        outcome = check()
        if isinstance(outcome, str):
            print(f"SKIPPED: {name}: {outcome}; nothing was checked")
            continue
        print(f"{name}: checked {outcome} of {outcome}")
        checked += 1
    print(f"checked {checked} of {len(CHECKS)} kinds of report with foreign validators")
    if "--all" in sys.argv and absent:
        raise SystemExit(f"validators that should be installed are not: {', '.join(absent)}")


if __name__ == "__main__":
    main()
