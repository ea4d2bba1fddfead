/**
 * The faults of a run: what is done to which node, and when. Decided by the seed alone, so that a failure can be
 * repeated. Pure.
 */

/**
 * `freeze`: the process is stopped and continued (SIGSTOP, SIGCONT). `kill`: kill -9, and a new start.
 * `silence`: the network to the database passes nothing for a while. `abandon`: the connections there are fall silent
 * permanently, new ones work. `cut`: the connections end, and new ones are refused for a while.
 */
const kinds = ['freeze', 'kill', 'silence', 'abandon', 'cut'] as const

export interface Disturbance {
  atMs: number
  node: number
  kind: (typeof kinds)[number]
  forMs: number
  /** The error of the node's clock after a kill. */
  skewMs: number
}

export interface Plan {
  /** The error of each node's clock from the start. */
  skewsMs: readonly number[]
  disturbances: readonly Disturbance[]
}

interface Request {
  seed: number
  nodes: number
  durationMs: number
}

/** Mulberry32: small, and the same on every machine. */
export const createRandom = (seed: number): (() => number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const maxSkewMs = 600_000
/** Longer than a run's lease (30 s): others take over, and the frozen node must notice when it comes back. */
const longFreezeMs = 35_000

export const makePlan = ({ seed, nodes, durationMs }: Request): Plan => {
  const random = createRandom(seed)
  const between = (low: number, high: number): number => Math.round(low + random() * (high - low))
  const skew = (): number => between(-maxSkewMs, maxSkewMs)
  const disturb = (node: number): Disturbance[] => {
    const disturbances: Disturbance[] = []
    for (let atMs = between(2000, 8000); atMs < durationMs; ) {
      const kind = kinds[between(0, kinds.length - 1)] ?? 'kill'
      const isLong = kind === 'freeze' && random() < 0.4
      const forMs = isLong ? longFreezeMs : between(500, 8000)
      disturbances.push({ atMs, node, kind, forMs, skewMs: skew() })
      atMs += forMs + between(2000, 10_000)
    }
    return disturbances
  }
  const all = Array.from({ length: nodes }, (_, node) => ({ skewMs: skew(), disturbances: disturb(node) }))
  return {
    skewsMs: all.map(({ skewMs }) => skewMs),
    disturbances: all.flatMap(({ disturbances }) => disturbances).sort((a, b) => a.atMs - b.atMs),
  }
}
