/** The cases of a condition: the first that holds is taken. A case that is renamed keeps where it leads. */
import { ArrowDown, ArrowUp, Plus, X } from 'lucide-react'
import { Button, IconButton } from '#ui/button.tsx'
import { cx } from '#ui/class-names.ts'
import { inputLook } from '#ui/inputs.tsx'
import { useNodeConfig } from './config-context.ts'

export interface Case {
  handle: string
  expression: string
}

/** A draft may hold anything where cases belong. */
export const casesOf = (value: unknown): Case[] =>
  Array.isArray(value)
    ? value.map((one: unknown) => {
        const { handle, expression } = (one ?? {}) as Partial<Record<keyof Case, unknown>>
        return {
          handle: typeof handle === 'string' ? handle : '',
          expression: typeof expression === 'string' ? expression : '',
        }
      })
    : []

interface CasesRowProps {
  onRename: (from: string, to: string, cases: readonly Case[]) => void
}

export function CasesRow({ onRename }: CasesRowProps) {
  const { config, problems, change } = useNodeConfig()
  const cases = casesOf(config.cases)
  const set = (next: readonly Case[]) => change({ cases: next })
  const replace = (place: number, part: Partial<Case>) =>
    cases.map((one, index) => (index === place ? { ...one, ...part } : one))
  const swap = (place: number, other: number) =>
    set(cases.map((one, index) => (index === place ? cases[other] : index === other ? cases[place] : one) ?? one))
  const problem = problems.get('cases')
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="mb-1.5 font-medium text-sm">Cases</legend>
      {cases.map((one, place) => (
        <CaseFields
          // biome-ignore lint/suspicious/noArrayIndexKey: a case has no identity but its place
          key={place}
          place={place}
          count={cases.length}
          value={one}
          onName={(handle) => onRename(one.handle, handle, replace(place, { handle }))}
          onExpression={(expression) => set(replace(place, { expression }))}
          onMove={(step) => swap(place, place + step)}
          onRemove={() => set(cases.filter((_, index) => index !== place))}
        />
      ))}
      <p className={cx('text-sm', problem === undefined ? 'text-faint' : 'text-bad')}>
        {problem ?? 'From top to bottom; the first that holds is taken, and “else” where none does.'}
      </p>
      <Button
        name="cases"
        size="small"
        icon={Plus}
        className="self-start"
        disabled={cases.length >= 50}
        onClick={() => set([...cases, { handle: `case_${cases.length + 1}`, expression: '' }])}
      >
        Add a case
      </Button>
    </fieldset>
  )
}

interface CaseFieldsProps {
  place: number
  count: number
  value: Case
  onName: (name: string) => void
  onExpression: (text: string) => void
  onMove: (step: 1 | -1) => void
  onRemove: () => void
}

function CaseFields({ place, count, value, onName, onExpression, onMove, onRemove }: CaseFieldsProps) {
  const number = place + 1
  return (
    <div className="flex items-start gap-1 rounded-control border bg-sunken/50 p-1.5">
      <div className="flex min-w-0 flex-1 flex-col gap-1.5">
        <input
          aria-label={`Name of case ${number}`}
          value={value.handle}
          maxLength={60}
          spellCheck={false}
          onChange={(event) => onName(event.target.value)}
          className={cx(inputLook, 'h-8 text-sm!')}
        />
        <textarea
          aria-label={`Expression of case ${number}`}
          value={value.expression}
          rows={1}
          placeholder={'input["total"] > 100'}
          spellCheck={false}
          onChange={(event) => onExpression(event.target.value)}
          className={cx(inputLook, 'field-sizing-content py-1 font-mono text-sm! [font-variant-ligatures:none]')}
        />
      </div>
      <div className="flex flex-col">
        <IconButton label={`Remove case ${number}`} icon={X} isTiny onClick={onRemove} />
        <IconButton
          label={`Move case ${number} up`}
          icon={ArrowUp}
          isTiny
          disabled={place === 0}
          onClick={() => onMove(-1)}
        />
        <IconButton
          label={`Move case ${number} down`}
          icon={ArrowDown}
          isTiny
          disabled={number === count}
          onClick={() => onMove(1)}
        />
      </div>
    </div>
  )
}
