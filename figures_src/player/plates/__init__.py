"""The plates, one module a stage: what stands on the bench beside the photograph."""
