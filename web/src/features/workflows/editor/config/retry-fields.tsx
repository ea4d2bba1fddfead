/** Retries after a failed attempt, and the delay in between. For one node or for the whole workflow. */
import { Field } from '#ui/form/field.tsx'
import { TextInput } from '#ui/form/inputs.tsx'
import { useHasDraftIn } from '../rows/use-draft.ts'
import { useNumberText } from '../rows/value-rows.tsx'

export interface Retry {
  max_attempts?: number | undefined
  initial_delay_ms?: number | undefined
  max_delay_ms?: number | undefined
}

interface RetryFieldsProps {
  legend?: string
  /** The path of the value: `config.retry`. */
  path: string
  value: unknown
  problem?: string | undefined
  onValue: (retry: Retry | undefined) => void
}

const isRecord = (value: unknown): value is Retry => typeof value === 'object' && value !== null

export function RetryFields({ legend = 'Retries', path, value, problem, onValue }: RetryFieldsProps) {
  const retry = isRecord(value) ? value : {}
  const shownProblem = useHasDraftIn(path) ? undefined : problem
  const set = (part: Retry) => {
    const next = Object.fromEntries(Object.entries({ ...retry, ...part }).filter(([, one]) => one !== undefined))
    onValue(Object.keys(next).length === 0 ? undefined : next)
  }
  return (
    <fieldset className="flex min-w-0 flex-col gap-1.5">
      <legend className="mb-1.5 font-medium text-sm">{legend}</legend>
      <div className="grid grid-cols-3 items-start gap-2">
        <Count
          label="Attempts"
          name="retry"
          path={`${path}.max_attempts`}
          placeholder="3"
          value={retry.max_attempts}
          limits={{ min: 1, max: 20 }}
          onValue={(count) => set({ max_attempts: count })}
        />
        <Count
          label="Initial delay (ms)"
          name="initial_delay_ms"
          path={`${path}.initial_delay_ms`}
          placeholder="1000"
          value={retry.initial_delay_ms}
          limits={{ min: 0, max: 3_600_000 }}
          onValue={(ms) => set({ initial_delay_ms: ms })}
        />
        <Count
          label="Maximum delay (ms)"
          name="max_delay_ms"
          path={`${path}.max_delay_ms`}
          placeholder="60000"
          value={retry.max_delay_ms}
          limits={{ min: 0, max: 86_400_000 }}
          onValue={(ms) => set({ max_delay_ms: ms })}
        />
      </div>
      <p className={shownProblem === undefined ? 'text-faint text-sm' : 'text-bad text-sm'}>
        {shownProblem ??
          'The delay doubles after each attempt. With one attempt, the node runs at most once, even after a server crash.'}
      </p>
    </fieldset>
  )
}

interface CountProps {
  label: string
  name: string
  path: string
  placeholder: string
  value: number | undefined
  limits: { min: number; max: number }
  onValue: (value: number | undefined) => void
}

function Count({ label, name, path, placeholder, value, limits, onValue }: CountProps) {
  const { text, problem, onText } = useNumberText({ path, value, onValue, ...limits })
  return (
    <Field label={label} name={name} problem={problem}>
      <TextInput
        inputMode="numeric"
        autoComplete="off"
        value={text}
        placeholder={placeholder}
        onChange={(event) => onText(event.target.value)}
        className="figures"
      />
    </Field>
  )
}
