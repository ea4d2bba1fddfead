/** The cases of a condition; the first one that matches is used. A renamed case keeps its edges. */
import { ArrowDown, ArrowUp, Plus, X } from 'lucide-react'
import { useId } from 'react'
import { Button, IconButton } from '#ui/button/button.tsx'
import { cx } from '#ui/class-names.ts'
import { inputLook } from '#ui/form/inputs.tsx'
import { type Case, caseNameProblem, casesOf, freeCaseName } from './cases.ts'
import { CompletingRow } from './completing-text.tsx'
import { useNodeConfig } from './config-context.ts'
import { RowNote } from './form-help.tsx'
import { useBlurCommit } from './use-blur-commit.ts'
import { useDraft, useHasDraftIn } from './use-draft.ts'

interface CasesRowProps {
  onRename: (from: string, to: string, cases: readonly Case[]) => void
}

export function CasesRow({ onRename }: CasesRowProps) {
  const { config, problems, hints, change } = useNodeConfig()
  const cases = casesOf(config.cases)
  const set = (next: readonly Case[]) => change({ cases: next })
  const replace = (at: number, part: Partial<Case>) =>
    cases.map((one, index) => (index === at ? { ...one, ...part } : one))
  const swap = (at: number, other: number) =>
    set(cases.map((one, index) => (index === at ? cases[other] : index === other ? cases[at] : one) ?? one))
  const isTyped = useHasDraftIn('config.cases')
  const problem = isTyped ? undefined : problems.get('cases')
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="mb-1.5 font-medium text-sm">Cases</legend>
      {cases.map((one, at) => (
        <CaseFields
          // biome-ignore lint/suspicious/noArrayIndexKey: a case has no identity except its index
          key={at}
          at={at}
          count={cases.length}
          value={one}
          problemOf={(name) => caseNameProblem(cases, at, name)}
          onName={(handle) => onRename(one.handle, handle, replace(at, { handle }))}
          onExpression={(expression) => set(replace(at, { expression }))}
          onMove={(step) => swap(at, at + step)}
          onRemove={() => set(cases.filter((_, index) => index !== at))}
        />
      ))}
      <RowNote
        problem={problem}
        hint={isTyped ? undefined : hints.get('cases')}
        help="Checked from top to bottom. The first match is used, or “else” if none matches."
      />
      <Button
        name="cases"
        size="small"
        icon={Plus}
        className="self-start"
        disabled={cases.length >= 50}
        onClick={() => set([...cases, { handle: freeCaseName(cases), expression: '' }])}
      >
        Add case
      </Button>
    </fieldset>
  )
}

interface CaseFieldsProps {
  at: number
  count: number
  value: Case
  problemOf: (name: string) => string | undefined
  onName: (name: string) => void
  onExpression: (text: string) => void
  onMove: (step: 1 | -1) => void
  onRemove: () => void
}

function CaseFields({ at, count, value, problemOf, onName, onExpression, onMove, onRemove }: CaseFieldsProps) {
  const number = at + 1
  return (
    <div className="flex items-start gap-1 rounded-control border bg-sunken/50 p-1.5">
      <div className="flex min-w-0 flex-1 flex-col gap-1.5">
        <CaseName
          label={`Name of case ${number}`}
          path={`config.cases[${at}].handle`}
          value={value.handle}
          problemOf={problemOf}
          onName={onName}
        />
        <CompletingRow
          label={`Expression of case ${number}`}
          notation="expression"
          value={value.expression}
          placeholder={'input["total"] > 100'}
          onText={onExpression}
          className=""
        />
      </div>
      <div className="flex flex-col">
        <IconButton label={`Remove case ${number}`} icon={X} isTiny onClick={onRemove} />
        <IconButton
          label={`Move case ${number} up`}
          icon={ArrowUp}
          isTiny
          disabled={at === 0}
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

interface CaseNameProps extends Pick<CaseFieldsProps, 'problemOf' | 'onName'> {
  label: string
  path: string
  value: string
}

/**
 * The name is applied when the field loses focus: while typing it could equal another case's name and take over its
 * edges.
 */
function CaseName({ label, path, value, problemOf, onName }: CaseNameProps) {
  const problemId = useId()
  const onText = (text: string) => text.trim() !== value && onName(text.trim())
  const { typed, problem, events } = useBlurCommit({ of: value, problemOf, onText, draftState: useDraft(path) })
  return (
    <>
      <input
        aria-label={label}
        aria-invalid={problem !== undefined || undefined}
        aria-describedby={problem && problemId}
        value={typed ?? value}
        maxLength={60}
        spellCheck={false}
        {...events}
        className={cx(inputLook, 'h-8 text-sm!')}
      />
      {problem !== undefined && (
        <p id={problemId} className="text-bad text-sm">
          {problem}
        </p>
      )}
    </>
  )
}
