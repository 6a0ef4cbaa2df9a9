"""JSON Schema of what Nim writes."""

from gamecore import schema

POSITION = schema.record({"piles": schema.array({"type": "integer", "minimum": 0}), "to_move": {"enum": ["A", "B"]}})
SOLUTION = schema.solution({"type": "integer"}, {"enum": ["A", "B"]})
ANALYSIS = schema.analysis({"type": "integer"}, {"enum": ["A", "B"]})
