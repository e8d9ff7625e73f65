"""Charts: pure functions from plain values to the figures that Plotly draws in the browser.

Figures are plain JSON dictionaries: Plotly's Python package is not loaded here, it only carries
the script (``config.plotly_files``) and checks the figures in tests. A colour is a token of
the stylesheet (``var(--c1)``): ``charts.js`` reads what it looks like in the theme at hand.
"""
