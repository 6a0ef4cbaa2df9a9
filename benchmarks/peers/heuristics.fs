// One decision of the heuristics of github.com/brianberns/Hearts. Cards are 13 * suit + rank, suits and directions are
// numbered as there.
module App

open PlayingCards
open Hearts
open Hearts.Heuristic

let card (i : int) = Card.create (enum<Rank> (i % 13 + 2)) (enum<Suit> (i / 13))

let act name seat direction isPass (hand : int[]) (legal : int[]) leader (plays : int[]) : int =
    let player = if name = "claude" then Claude.player else Gemini.player
    let mutable deal = ClosedDeal.create Seat.West (enum<ExchangeDirection> direction)
    if not isPass then
        deal <- ClosedDeal.startPlay (enum<Seat> leader) deal
        for play in plays do
            deal <- ClosedDeal.addPlay (card play) deal
    let chosen =
        player.Act
            {
                Player = enum<Seat> seat
                Hand = set (Array.map card hand)
                OutgoingPassOpt = None
                IncomingPassOpt = None
                Deal = deal
                LegalActionType = if isPass then ActionType.Pass else ActionType.Play
                LegalActions = Array.map card legal
            }
    int chosen.Suit * 13 + int chosen.Rank - 2
