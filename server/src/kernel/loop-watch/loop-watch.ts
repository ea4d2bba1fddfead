/** Says who blocked the server's thread: how late it is, as a histogram, and each long block with what ran. See README.md. */
import { randomUUID } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics/index.ts'
import { threadEnv } from '../process/thread-env.ts'
import { answerQuestions } from './mark.ts'

export interface Block {
  what: string
  owner: string | null
  ms: number
  /** What ran in the middle of it, innermost first. */
  stack: string[]
}

export interface WatchData {
  beats: SharedArrayBuffer
  beatMs: number
  checksToBlock: number
  questionName: string
}

export interface LoopWatch {
  stop(): Promise<void>
}

interface Options {
  onBlock(block: Block): void
  /** How late each beat came. */
  onBeat?(lateMs: number): void
  beatMs?: number
}

const usualBeatMs = 100
/** Beats that stayed away: 200 ms. */
const checksToBlock = 2

export const watchLoop = ({ onBlock, onBeat, beatMs = usualBeatMs }: Options): LoopWatch => {
  const beats = new SharedArrayBuffer(4)
  const beat = new Int32Array(beats)
  const questionName = `chancery:${randomUUID()}`
  answerQuestions(questionName)
  const workerData: WatchData = { beats, beatMs, checksToBlock, questionName }
  const thread = new Worker(new URL('./watching-thread.ts', import.meta.url), {
    name: 'loop-watch',
    workerData,
    env: threadEnv(),
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 },
  })
  thread.unref()
  // The server works without being watched.
  thread.on('error', () => undefined)
  thread.on('message', onBlock)
  let last = performance.now()
  const timer = setInterval(() => {
    const now = performance.now()
    onBeat?.(Math.max(0, now - last - beatMs))
    last = now
    Atomics.add(beat, 0, 1)
  }, beatMs)
  timer.unref()
  return {
    stop: async () => {
      clearInterval(timer)
      await thread.terminate()
    },
  }
}

const lateBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.5, 1, 2.5, 5, 10, 30, 60]

/** As the server runs it. */
export const reportBlocks = ({
  log,
  metrics,
}: {
  log: Pick<Log, 'warn'>
  metrics: Pick<Metrics, 'counter' | 'histogram'>
}): LoopWatch => {
  const late = metrics
    .histogram({
      name: 'chancery_loop_late_seconds',
      help: 'How late the event loop came to a timer of every 100 ms.',
      buckets: lateBuckets,
    })
    .of()
  const blocks = metrics.counter({
    name: 'chancery_loop_blocks_total',
    help: 'Blocks of the event loop of more than 200 ms, by what ran.',
    labels: ['what'],
  })
  return watchLoop({
    onBeat: (lateMs) => late.observe(lateMs / 1000),
    onBlock: ({ what, ...block }) => {
      blocks.of(what).add()
      log.warn({ what, ...block }, 'The event loop was blocked.')
    },
  })
}
