//! Retry governance: the seven stages from proposal to execution result, and what watches them:
//! inspector, Security metrics, Overseer brief, observability, readiness, smoke (loop governance,
//! sections 6 to 13). A control trail: nothing here starts a process or enables execution.
