"""Campaigns as folders: ``campaign.yaml`` and the files it names."""

from __future__ import annotations

from campaigns.services.folders.exporting import export_folder
from campaigns.services.folders.faults import Fault, FolderRefusedError
from campaigns.services.folders.loading import Loaded, load_folder

__all__ = ["Fault", "FolderRefusedError", "Loaded", "export_folder", "load_folder"]
