"""What ``pytest --benchmark`` and ``ab.py`` stand on."""
