//! landfall
