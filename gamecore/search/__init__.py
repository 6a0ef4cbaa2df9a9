"""What searches of all games share: analyses that continue in steps."""

from gamecore.search._refine import Refinement, Repeated

__all__ = ["Refinement", "Repeated"]
