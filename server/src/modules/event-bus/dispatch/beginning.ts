/**
 * Where a look for what is to be dispatched begins. Rows that were dispatched stay in the way until the database clears
 * them away, a minute's worth of them under load; so a look begins behind what was dispatched a while ago. Whoever took
 * longer than that to commit is found by the next look from the start.
 */
const longEnoughMs = 2000

export interface Beginning {
  /** The place to begin at. From the start, if anybody asked for that since. */
  take(): number
  fromTheStart(): void
  /** Everything up to this place that could be seen was dispatched. */
  done(seq: number, nowMs: number): void
}

export const createBeginning = (): Beginning => {
  let begin = 0
  let next: { seq: number; atMs: number } | undefined
  let isAsked = false
  return {
    take: () => {
      const place = isAsked ? 0 : begin
      isAsked = false
      return place
    },
    fromTheStart: () => {
      isAsked = true
    },
    done: (seq, nowMs) => {
      if (next && nowMs - next.atMs < longEnoughMs) return
      if (next) begin = next.seq + 1
      next = { seq, atMs: nowMs }
    },
  }
}
