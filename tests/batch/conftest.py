"""Put this folder on the path: workers in other processes import ``batch_tasks`` by its name."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
