/** Keeps what a step asked models, within limits and without secrets, until the run's next change saves it. */
import type { ModelCall } from '@chancery/contract/workflows/traces.ts'
import type { RunRow } from '../queries/claims.ts'
import type { TraceWrite } from '../queries/save-runs.ts'
import type { StepRow } from '../queries/steps.ts'
import type { TracedCall } from '../shared/node-interface.ts'
import { storable } from '../shared/storable-json.ts'
import { hideCredentials } from './hide-secrets.ts'
import type { Redactor } from './redactor.ts'

/** In characters. Beyond the run's limit, calls are kept without their texts. */
const limits = { text: 20_000, call: 100_000, run: 2_000_000 }

/** The calls of one run that are not saved yet, by step and number. */
export interface PendingTrace {
  /** A call of the step, under this number. */
  open(step: StepRow, number: number): TracedCall
  take(): TraceWrite[]
}

export const createPendingTrace = (run: Pick<RunRow, 'traceSize'>, redactor: Pick<Redactor, 'text'>): PendingTrace => {
  const pending = new Map<string, TraceWrite>()
  const open = (step: StepRow, number: number): TracedCall => {
    let left = limits.call
    let size = 0
    let isCut = false
    return {
      text: (text) => {
        const room = Math.max(0, Math.min(limits.text, left, limits.run - run.traceSize))
        // Secrets that the cut would split are found, as the margin is longer than any of them is likely to be.
        const shown = hideCredentials(redactor.text(text.slice(0, room + 2000)))
        left -= Math.min(room, shown.length)
        if (text.length <= room) return shown
        isCut = true
        return `${shown.slice(0, room)}… [${text.length - room} more characters]`
      },
      save: (call) => {
        const json = jsonOf({ number, ...call, is_cut: isCut })
        if (json === undefined) return
        run.traceSize += json.length - size
        size = json.length
        pending.set(`${step.id} ${number}`, { stepId: step.id, runId: step.runId, number, contentJson: json })
      },
    }
  }
  return {
    open,
    take: () => {
      const taken = [...pending.values()]
      pending.clear()
      return taken
    },
  }
}

const jsonOf = (call: ModelCall): string | undefined => {
  try {
    return storable(call).json
  } catch {
    return undefined
  }
}
