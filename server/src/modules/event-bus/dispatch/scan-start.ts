/**
 * The time from which the dispatcher scans `event_batches`. Deleted rows slow a scan down until PostgreSQL vacuums
 * them, so a scan skips what was dispatched more than two seconds ago. A transaction that committed later than that is
 * found by the next full scan, at most a second later. Decision 0017 has the numbers.
 */
const skipAfterMs = 2000

export interface ScanStart {
  /** The position to scan from: 0 if a full scan was requested since the last call. */
  next(): number
  requestFullScan(): void
  /** Everything visible up to this position was dispatched. */
  dispatchedThrough(seq: number, nowMs: number): void
}

export const createScanStart = (): ScanStart => {
  let start = 0
  let candidate: { seq: number; atMs: number } | undefined
  let isFullScanRequested = false
  return {
    next: () => {
      const from = isFullScanRequested ? 0 : start
      isFullScanRequested = false
      return from
    },
    requestFullScan: () => {
      isFullScanRequested = true
    },
    dispatchedThrough: (seq, nowMs) => {
      if (candidate && nowMs - candidate.atMs < skipAfterMs) return
      if (candidate) start = candidate.seq + 1
      candidate = { seq, atMs: nowMs }
    },
  }
}
