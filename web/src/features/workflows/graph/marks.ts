/** The state shown on a node or edge: how it ran, or how it changed. */

export type Tone = 'added' | 'removed' | 'changed' | 'running' | 'waiting' | 'done' | 'failed' | 'faded'

export interface NodeMark {
  tone: Tone
  /** The word on the card, so that colour is never the only sign. */
  label?: string
  /** A short detail beside it, such as `1.2 s · 340 tokens`. */
  detail?: string
  isPulsing?: boolean
}

/** The colour of a tone, as a theme variable. */
export const toneColours: Record<Tone, string> = {
  added: 'var(--ok)',
  removed: 'var(--bad)',
  changed: 'var(--warn)',
  running: 'var(--ink)',
  waiting: 'var(--warn)',
  done: 'var(--ok)',
  failed: 'var(--bad)',
  faded: 'var(--rule)',
}
