"""How benchmarks are recorded, judged and shown: what ``pytest --benchmark`` and the commands beside this share."""
