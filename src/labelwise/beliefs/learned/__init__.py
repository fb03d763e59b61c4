"""The learned belief: groups share a calibration map from confidence to accuracy, learned from all labels together."""
