// The cards that the heuristics of github.com/brianberns/Hearts need: its own library of cards is another repository.
namespace PlayingCards

type Suit = Clubs = 0 | Diamonds = 1 | Hearts = 2 | Spades = 3

type Rank =
    | Two = 2 | Three = 3 | Four = 4 | Five = 5 | Six = 6 | Seven = 7 | Eight = 8 | Nine = 9 | Ten = 10
    | Jack = 11 | Queen = 12 | King = 13 | Ace = 14

module Rank =
    let numRanks = 13

module Enum =
    let inline getValues<'t> : 't[] = System.Enum.GetValues(typeof<'t>) |> Seq.cast<'t> |> Seq.toArray

type Card = { Suit : Suit; Rank : Rank }

module Card =
    let create (rank : Rank) (suit : Suit) = { Suit = suit; Rank = rank }
    let numCards = 52
    let allCards = [| for s in 0 .. 3 do for r in 2 .. 14 -> create (enum<Rank> r) (enum<Suit> s) |]

type Hand = Set<Card>
