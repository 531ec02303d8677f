//! DSSE envelopes: what was signed, by whom, and whether a key that is trusted made the signature.
//!
//! A key is trusted because a policy names it; nothing in an envelope makes it so. Keys are public, and nothing is signed
//! here.

use crate::json::Value;
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE};
use p256::ecdsa::signature::Verifier;
use serde::{Serialize, Serializer};

/// What was signed, and the signatures.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Envelope {
    /// The type of the payload, which is signed with it.
    pub payload_type: String,
    /// The payload as bytes.
    pub payload: Vec<u8>,
    /// Ids of keys as the signer gave them, and signatures; `None` for one that is no base64.
    pub signatures: Vec<(Option<String>, Option<Vec<u8>>)>,
}

/// The most signatures of an envelope that are tried.
const SIGNATURE_LIMIT: usize = 16;

/// The bytes of `text`, which is base64 in either alphabet.
pub(super) fn decode(text: &str) -> Option<Vec<u8>> {
    let text = text.trim();
    STANDARD.decode(text).or_else(|_| URL_SAFE.decode(text)).ok()
}

impl Envelope {
    /// Reads an envelope; `None` for a value that is none.
    pub(super) fn read(value: &Value<'_>) -> Option<Self> {
        let payload_type = value.get("payloadType").and_then(Value::as_str)?.to_owned();
        let payload = decode(value.get("payload").and_then(Value::as_str)?)?;
        let signatures = value.get("signatures").and_then(Value::elements).unwrap_or_default().iter().take(SIGNATURE_LIMIT);
        let text = |signature: &Value<'_>, key: &str| signature.get(key).and_then(Value::as_str).map(str::to_owned);
        let signatures = signatures.map(|each| (text(each, "keyid"), text(each, "sig").and_then(|sig| decode(&sig)))).collect();
        Some(Self { payload_type, payload, signatures })
    }

    /// Whether the payload says that it is a statement of in-toto.
    pub(super) fn is_statement(&self) -> bool {
        let kind = self.payload_type.as_str();
        kind == "application/vnd.in-toto+json" || kind.starts_with("application/vnd.in-toto.") && kind.ends_with("+json")
    }

    /// The bytes that are signed: DSSE's pre-authentication encoding, version 1.
    fn signed(&self) -> Vec<u8> {
        let mut bytes = format!("DSSEv1 {} {} {} ", self.payload_type.len(), self.payload_type, self.payload.len()).into_bytes();
        bytes.extend_from_slice(&self.payload);
        bytes
    }
}

/// A key that a policy names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrustedKey {
    /// Its name, by which answers speak of it and envelopes may.
    pub name: String,
    key: Key,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Key {
    Ed25519(ed25519_dalek::VerifyingKey),
    P256(p256::ecdsa::VerifyingKey),
}

impl Serialize for TrustedKey {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&format!("{} ({})", self.name, self.algorithm()))
    }
}

/// Why a public key cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum KeyFault {
    /// No PEM block, no base64, no point of the curve.
    #[error("no public key in PEM form")]
    Unreadable,
    /// RSA, another curve, anything else.
    #[error("a public key of an algorithm that is not known: Ed25519 and ECDSA on P-256 are")]
    Algorithm,
}

/// What stands before the key in a SubjectPublicKeyInfo of each algorithm.
const ED25519: [u8; 12] = [0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00];
const P256: [u8; 26] = [
    0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01,
    0x07, 0x03, 0x42, 0x00,
];

impl TrustedKey {
    /// Reads the public key in `pem`.
    ///
    /// # Errors
    /// When it is none, or of an algorithm that is not known.
    pub fn read(name: &str, pem: &str) -> Result<Self, KeyFault> {
        let inside = pem.trim().strip_prefix("-----BEGIN PUBLIC KEY-----").and_then(|rest| rest.strip_suffix("-----END PUBLIC KEY-----"));
        let text: String = inside.ok_or(KeyFault::Unreadable)?.split_whitespace().collect();
        let der = STANDARD.decode(text).map_err(|_| KeyFault::Unreadable)?;
        let key = if let Some(point) = der.strip_prefix(&ED25519) {
            let point = point.try_into().map_err(|_| KeyFault::Unreadable)?;
            Key::Ed25519(ed25519_dalek::VerifyingKey::from_bytes(point).map_err(|_| KeyFault::Unreadable)?)
        } else if let Some(point) = der.strip_prefix(&P256) {
            Key::P256(p256::ecdsa::VerifyingKey::from_sec1_bytes(point).map_err(|_| KeyFault::Unreadable)?)
        } else if der.first() == Some(&0x30) {
            return Err(KeyFault::Algorithm);
        } else {
            return Err(KeyFault::Unreadable);
        };
        Ok(Self { name: name.to_owned(), key })
    }

    /// The algorithm's name.
    pub fn algorithm(&self) -> &'static str {
        match self.key {
            Key::Ed25519(_) => "ed25519",
            Key::P256(_) => "ecdsa-p256",
        }
    }

    fn made(&self, signature: &[u8], signed: &[u8]) -> bool {
        match &self.key {
            Key::Ed25519(key) => {
                ed25519_dalek::Signature::from_slice(signature).is_ok_and(|signature| key.verify_strict(signed, &signature).is_ok())
            }
            Key::P256(key) => {
                let signature = p256::ecdsa::Signature::from_der(signature).or_else(|_| p256::ecdsa::Signature::from_slice(signature));
                signature.is_ok_and(|signature| key.verify(signed, &signature).is_ok())
            }
        }
    }
}

/// What is known of a statement's signature.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Signed {
    /// No policy names keys: the statement is taken as unsigned, and matched by digest only.
    #[default]
    Unchecked,
    /// By the key of this name.
    By(String),
    /// By none that is trusted.
    Refused(Unsigned),
}

/// Why a statement is not taken as signed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unsigned {
    /// A bare statement.
    #[error("not in a signed envelope")]
    Bare,
    /// The envelope says that its payload is something else.
    #[error("payload type is not in-toto's")]
    PayloadType,
    /// An envelope without a signature.
    #[error("envelope holds no signature")]
    Missing,
    /// Signatures that are no base64.
    #[error("signature cannot be read")]
    Unreadable,
    /// The signature is of a key that the policy does not name.
    #[error("signed by no key that the policy names")]
    Key,
    /// The policy names the key, and it did not sign this: the payload or its type was changed, or the signature was.
    #[error("signature is not of this payload")]
    Payload,
}

/// Holds an envelope to `keys`. `None` is a statement without one.
pub(super) fn verify(envelope: Option<&Envelope>, keys: &[TrustedKey]) -> Signed {
    let Some(envelope) = envelope else { return Signed::Refused(Unsigned::Bare) };
    if !envelope.is_statement() {
        return Signed::Refused(Unsigned::PayloadType);
    }
    if envelope.signatures.is_empty() {
        return Signed::Refused(Unsigned::Missing);
    }
    let signed = envelope.signed();
    let readable = || envelope.signatures.iter().filter_map(|(_, signature)| signature.as_deref());
    if let Some(key) = keys.iter().find(|key| readable().any(|signature| key.made(signature, &signed))) {
        return Signed::By(key.name.clone());
    }
    if readable().next().is_none() {
        return Signed::Refused(Unsigned::Unreadable);
    }
    let named = envelope.signatures.iter().filter_map(|(id, _)| id.as_deref()).any(|id| keys.iter().any(|key| key.name == id));
    Signed::Refused(if named { Unsigned::Payload } else { Unsigned::Key })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::{Attested, Evidence, read_file};

    // Made once with another implementation (OpenSSL), so that both sides cannot share a mistake.
    const KEYS: &str = include_str!("../../fixtures/attestations/keys.json");
    const ED25519_SIGNED: &str = include_str!("../../fixtures/attestations/ed25519.dsse.json");
    const P256_SIGNED: &str = include_str!("../../fixtures/attestations/p256.dsse.json");

    fn pem(name: &str) -> String {
        let keys: serde_json::Value = serde_json::from_str(KEYS).expect("keys");
        keys[name].as_str().expect("a key").to_owned()
    }

    fn key(name: &str) -> TrustedKey {
        TrustedKey::read(name, &pem(name)).expect("a key")
    }

    fn signed(text: &str, keys: &[TrustedKey]) -> Signed {
        let Evidence::Attested(mut statements) = read_file(text.as_bytes()) else { panic!("a statement") };
        statements.iter_mut().for_each(|statement: &mut Attested| statement.verify(keys));
        statements.remove(0).signed
    }

    #[test]
    fn a_signature_by_a_named_key_holds() {
        assert_eq!(signed(ED25519_SIGNED, &[key("ed25519")]), Signed::By("ed25519".to_owned()));
        assert_eq!(signed(P256_SIGNED, &[key("ed25519"), key("p256")]), Signed::By("p256".to_owned()));
        assert_eq!((key("ed25519").algorithm(), key("p256").algorithm()), ("ed25519", "ecdsa-p256"));
    }

    #[test]
    fn everything_else_is_refused_by_its_name() {
        let refused = |text: &str, keys: &[TrustedKey], reason| assert_eq!(signed(text, keys), Signed::Refused(reason), "{text}");
        refused(ED25519_SIGNED, &[key("p256")], Unsigned::Key);
        refused(ED25519_SIGNED, &[key("other")], Unsigned::Key);
        refused(ED25519_SIGNED, &[], Unsigned::Key);
        let mut value: serde_json::Value = serde_json::from_str(ED25519_SIGNED).expect("an envelope");
        let mut changed = |key: &str, to: serde_json::Value| {
            let old = std::mem::replace(&mut value[key], to);
            let text = value.to_string();
            value[key] = old;
            text
        };
        let payload = serde_json::from_str::<serde_json::Value>(ED25519_SIGNED).expect("an envelope")["payload"].as_str().map(decode);
        let text = String::from_utf8(payload.flatten().expect("a payload")).expect("text").replace("\"PASSED\"", "\"WARNED\"");
        let altered = STANDARD.encode(text);
        refused(&changed("payload", altered.into()), &[key("ed25519")], Unsigned::Payload);
        refused(&changed("payloadType", "application/vnd.in-toto.other+json".into()), &[key("ed25519")], Unsigned::Payload);
        refused(&changed("payloadType", "text/plain".into()), &[key("ed25519")], Unsigned::PayloadType);
        refused(&changed("signatures", serde_json::json!([])), &[key("ed25519")], Unsigned::Missing);
        refused(&changed("signatures", serde_json::json!([{"sig": "%"}])), &[key("ed25519")], Unsigned::Unreadable);
        refused(&changed("signatures", serde_json::json!([{"sig": "AAAA"}])), &[key("ed25519")], Unsigned::Key);
        let bare = r#"{"_type": "https://in-toto.io/Statement/v1", "subject": [], "predicateType": "x", "predicate": {}}"#;
        refused(bare, &[key("ed25519")], Unsigned::Bare);
    }

    #[test]
    fn keys_of_other_algorithms_are_no_keys() {
        assert_eq!(TrustedKey::read("rsa", &pem("rsa")), Err(KeyFault::Algorithm));
        assert_eq!(TrustedKey::read("p384", &pem("p384")), Err(KeyFault::Algorithm));
        for text in
            ["", "-----BEGIN PUBLIC KEY-----\n%\n-----END PUBLIC KEY-----", "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----"]
        {
            assert_eq!(TrustedKey::read("x", text), Err(KeyFault::Unreadable), "{text}");
        }
    }
}
