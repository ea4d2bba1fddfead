/**
 * One run in the hands of this node. What happens to it (a node ends, a time comes, something arrives) is taken in turn,
 * gathered into one change and kept before whatever depends on it begins. A run that only waits is laid down again.
 */
import type { GraphNode } from '@chancery/contract/workflow-graph.ts'
import { isExplained, sentenceOf } from './backoff.ts'
import type { EngineContext } from './context.ts'
import { addStep, type Draft, isOnlyBeginning, newDraft, spentOf } from './draft.ts'
import type { PinnedGraph } from './graphs.ts'
import { isPassing } from './group-writer.ts'
import type { Executors } from './node-face.ts'
import { createOutward, type Ending, isOutward } from './outward.ts'
import { planNext } from './plan.ts'
import type { RunRow, StepRow } from './queries/runs.ts'
import { outputOf, readState } from './run-state.ts'
import { createSteps } from './steps.ts'
import { storable, storableText } from './storable-json.ts'

export interface Runner {
  readonly id: string
  /** Something came for the run. */
  look(): void
  /** Looks only if a time has come by this clock. */
  tick(now: Date): void
  /** The run is no longer ours, or has ended: what runs is cut short and nothing more is written. */
  abandon(): void
  /** Lets what is under way end as usual, begins nothing more, and gives the run back then. See `ended`. */
  drain(): void
  /** Gives it back at once, so that another node goes on: what is under way is cut short. */
  release(): Promise<void>
  /** When it is out of our hands. Never rejects. */
  readonly ended: Promise<void>
}

interface Options {
  context: EngineContext
  executors: Executors
  pinned: PinnedGraph
  run: RunRow
  steps: readonly StepRow[]
}

/** A run whose next attempt is this near is not laid down for it. */
const nearMs = 3000
/** Timers cannot be set for months; and whatever was missed is seen then. */
const longestAlarmMs = 60_000

export const createRunner = (options: Options): Runner => {
  const { context, executors, pinned, run } = options
  const { clock, log } = context.kernel
  const state = readState(options.steps)
  const steps = createSteps({ context, executors, pinned, run, state })
  const news: (Ending | 'look')[] = []
  let ring: () => void = () => undefined
  let alarm: NodeJS.Timeout | undefined
  let isOver = false
  let isDraining = false
  /** A node was ready that begins elsewhere. */
  let hasLeft = false
  /** The last change on its way; false when it found the run in other hands. */
  let writing: Promise<boolean> = Promise.resolve(true)

  const post = (item: Ending | 'look'): void => {
    if (item === 'look' && news.includes('look')) return
    news.push(item)
    ring()
  }
  const outward = createOutward({ kernel: context.kernel, pinned, steps, onEnd: post })
  const stop = (): void => {
    isOver = true
    clearTimeout(alarm)
    outward.cutAll()
    ring()
  }

  const isEntered = ({ begins }: Draft, id: string): boolean =>
    outward.has(id) || state.sleeping.has(id) || state.outcomes.has(id) || begins.some(({ nodeId }) => nodeId === id)

  /** Goes into the nodes that are ready, and on from those that are done on the way. */
  const enter = async (draft: Draft, ready: readonly string[]): Promise<void> => {
    const pending = [...ready]
    for (let id = pending.shift(); id !== undefined && draft.run.status !== 'failed'; id = pending.shift()) {
      if (isEntered(draft, id)) continue
      const node = pinned.nodes.get(id) as GraphNode
      if (isDraining && isOutward(node)) {
        hasLeft = true
        continue
      }
      const step = steps.open(node)
      if (isOutward(node)) {
        addStep(draft, step)
        draft.begins.push(step)
      } else pending.push(...(await steps.pass(draft, step)))
    }
  }

  const take = async (draft: Draft, item: Ending | 'look'): Promise<void> => {
    if (item === 'look') return enter(draft, await steps.lookAtSleeping(draft))
    if (!outward.settle(item.step)) return
    const next =
      'result' in item ? steps.absorb(draft, item.step, item.result) : steps.fail(draft, item.step, item.problem)
    await enter(draft, next)
  }

  /** Takes in what has come; up to new children, since whoever looks for them next must find them in the database. */
  const takeNews = async (draft: Draft): Promise<void> => {
    while (draft.children.length === 0) {
      const item = news.shift()
      if (item === undefined) return
      await take(draft, item)
    }
  }

  /** Whether the run ends, is laid down or goes on, now that news are taken in. */
  const conclude = (draft: Draft): void => {
    const now = clock.now()
    if (draft.run.status === 'failed') {
      for (const step of [...outward.steps(), ...state.sleeping.values(), ...draft.begins])
        addStep(draft, { ...step, status: 'cancelled', wakeAt: null, finishedAt: now })
      draft.begins = []
      end(draft, now)
    } else if (outward.steps().length > 0 || draft.begins.length > 0) return
    else if (isDraining && (hasLeft || state.sleeping.size > 0))
      Object.assign(draft.run, { status: 'queued', wakeAt: now })
    else if (state.sleeping.size > 0) layDown(draft, now)
    else {
      draft.run.status = 'succeeded'
      draft.run.outputJson = storable(outputOf(state, pinned, run.input)).json
      end(draft, now)
    }
  }
  const end = (draft: Draft, now: Date): void => {
    draft.run.finishedAt = now
    draft.endsFor = run.parentRunId
  }
  const layDown = (draft: Draft, now: Date): void => {
    if (news.length > 0) return
    const next = steps.nextWakeAt()
    if (next !== null && next.getTime() - now.getTime() < nearMs) return
    // Whoever begins to wait for an event looks once more when that is known: it may have come a moment before.
    if (draft.waits.length > 0) post('look')
    else Object.assign(draft.run, { status: 'waiting', wakeAt: next })
  }

  /** Keeps the change; then what it makes possible begins. False when the run is out of our hands. */
  const keep = async (draft: Draft): Promise<boolean> => {
    // Given back meanwhile: two changes of one run must not meet.
    if (!(await writing) || isOver) return false
    Object.assign(draft.run, spentOf(run))
    const isEmpty = draft.steps.length === 0 && draft.children.length === 0 && draft.run.status === null
    if (!isEmpty) writing = context.commit(draft)
    // Nothing that these nodes depend on is at stake: they need not wait. A failure shows before the next change. What
    // may be done once only waits until it is known that it begins.
    if (isOnlyBeginning(draft) && draft.begins.every(steps.canRepeat)) writing.catch(() => undefined)
    else if (!(await writing) || draft.run.status !== null) return false
    if (!isOver) for (const step of draft.begins) outward.begin(step)
    return true
  }

  const setAlarm = (): void => {
    clearTimeout(alarm)
    const next = steps.nextWakeAt()
    if (next === null || isOver) return
    const ms = Math.min(Math.max(0, next.getTime() - clock.now().getTime()), longestAlarmMs)
    alarm = setTimeout(() => post('look'), ms)
    alarm.unref()
  }

  const resume = async (draft: Draft): Promise<void> => {
    steps.noteInterrupted(draft)
    const woken = await steps.lookAtSleeping(draft)
    const { ready, dead } = planNext(pinned.wiring, state.outcomes)
    steps.bury(draft, dead)
    await enter(draft, [...woken, ...ready])
  }
  const live = async (): Promise<void> => {
    let draft = newDraft(run)
    await resume(draft)
    for (;;) {
      conclude(draft)
      if (isOver || !(await keep(draft))) return
      setAlarm()
      if (news.length === 0 && !isOver) await new Promise<void>((resolve) => (ring = resolve))
      if (isOver) return
      draft = newDraft(run)
      await takeNews(draft)
    }
  }

  /**
   * A change that the database refuses for good ends the run, with as little as possible to refuse. While the database is
   * away the run is left as it is: whoever finds its lease expired goes on from what was kept.
   */
  const giveUp = async (problem: unknown): Promise<void> => {
    if (isOver) return
    log.error({ err: problem, run: run.id }, 'A run could not be carried on.')
    if (isPassing(problem)) return
    const draft = newDraft(run)
    const error = isExplained(problem) ? sentenceOf(problem) : 'The run could not be carried on.'
    Object.assign(draft.run, { status: 'failed', error: storableText(error, 2000) })
    end(draft, clock.now())
    writing = context.commit(draft)
    await writing
  }

  const carryOn = async (): Promise<void> => {
    try {
      await live().catch(giveUp)
      await steps.endChildren()
    } catch (problem) {
      log.error({ err: problem, run: run.id }, 'A run was left alone.')
    } finally {
      stop()
    }
  }

  return {
    id: run.id,
    ended: carryOn(),
    look: () => post('look'),
    tick: (now) => {
      const next = steps.nextWakeAt()
      if (next !== null && next <= now) post('look')
    },
    abandon: stop,
    drain: () => {
      isDraining = true
      post('look')
    },
    release: async () => {
      if (isOver) return
      const draft = newDraft(run)
      for (const step of outward.steps()) if (steps.canRepeat(step)) addStep(draft, { ...step, ...steps.cutShort() })
      stop()
      // What is on its way comes first: it may be the end of the run.
      await writing.catch(() => undefined)
      draft.run.status = 'queued'
      draft.run.wakeAt = clock.now()
      await context.commit(draft)
    },
  }
}
