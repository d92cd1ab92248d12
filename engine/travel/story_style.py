"""The colours and lines of a story as a picture, on light and on dark screens."""

STYLE = """
text { font: 11px system-ui, "Segoe UI", Roboto, sans-serif; fill: #22251f }
.paper { fill: #faf8f3 }
.on { paint-order: stroke; stroke: #faf8f3; stroke-width: 3px }
.head { font-size: 15px; font-weight: 600 } .soft { fill: #5f645a } .small { font-size: 10px }
.episode { stroke: #cfcabd } .band { fill: #f1ede3 } .scene { fill: #e9e3d3; stroke: #d3ccb8 }
.line { fill: none; stroke-linecap: round; stroke-width: 2.6 } .away { stroke-width: 1; opacity: .55 }
.plain { stroke: #8d9186 }
.present { stroke: #2f7d54 } .told { stroke: #a86a00; stroke-dasharray: 11 4 } .otherwise { stroke: #a5302a; stroke-dasharray: 7 4 }
.hidden { stroke-dasharray: 1 5 } .knows { stroke-width: 4 } .knows.away { stroke-width: 2; opacity: .8 }
.arrow { fill: none; stroke: #a86a00; stroke-width: 1.6 } .doubtful { stroke-dasharray: 2 3 }
.arrow.false { stroke: #a5302a } .tip { fill: #a86a00 } .tip.false { fill: #a5302a }
.node { fill: #2f7d54 } .node.told { fill: #a86a00; stroke: none } .node.otherwise { fill: #a5302a; stroke: none }
.node.open { fill: #faf8f3; stroke: #2f7d54; stroke-width: 2 }
.said { fill: #22251f; opacity: .5 } .private { fill: #faf8f3; stroke: #22251f }
.whisper { fill: none; stroke: #22251f; stroke-dasharray: 1 3; opacity: .8 }
@media (prefers-color-scheme: dark) {
  text { fill: #e8e6dd } .paper { fill: #161814 } .soft { fill: #a6ab9e } .episode { stroke: #454a40 }
  .on { stroke: #161814 } .band { fill: #1d201b } .scene { fill: #272b24; stroke: #3b4037 } .plain { stroke: #80857a }
  .present { stroke: #74c594 } .told, .arrow { stroke: #e0a83e } .otherwise, .arrow.false { stroke: #ef8a80 }
  .tip { fill: #e0a83e } .tip.false { fill: #ef8a80 } .node { fill: #74c594 } .node.told { fill: #e0a83e }
  .node.otherwise { fill: #ef8a80 } .node.open { fill: #161814; stroke: #74c594 }
  .said { fill: #e8e6dd } .private { fill: #161814; stroke: #e8e6dd } .whisper { stroke: #e8e6dd }
}
"""
