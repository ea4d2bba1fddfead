/** One field of the recipient: fill it in, save it, go on. */
import { type FieldValue, isMark, type Mark } from '@chancery/contract/signing/signing.ts'
import { type FormEvent, useState } from 'react'
import { Button } from '#ui/button/button.tsx'
import { Check } from '#ui/form/choices.tsx'
import type { Facts, FactsField, Filled } from '../api.ts'
import { Panel } from '../dock.tsx'
import { beginMark, type MarkDraft, MarkInput, MarkPicture, markOf } from '../mark/mark-input.tsx'
import { failureText, useSigning } from '../signing-context.ts'
import { problemOf } from './check-value.ts'
import { initialMark, initialValue, sameKind } from './initial-value.ts'
import { isFilled } from './steps.ts'
import { useFieldName } from './use-field-name.ts'
import { ValueInput } from './value-input.tsx'

interface FieldStepProps {
  facts: Facts
  steps: readonly FactsField[]
  index: number
  field: FactsField
  /** The server's message about this field from the attempt to finish. */
  problem: string | undefined
  isSaving: boolean
  onSave: (values: Filled[]) => Promise<unknown>
  onBack: () => void
}

export function FieldStep({ facts, steps, index, field, problem, isSaving, onSave, onBack }: FieldStepProps) {
  const wording = useSigning()
  const { texts } = wording
  const [value, setValue] = useState(() => initialValue(field, facts.recipient))
  const mark = useMarkDraft(field, steps, facts.recipient.name)
  const [found, setFound] = useState(problem)
  // A problem belongs to what was entered: it goes when that is changed.
  const change = (apply: () => void) => {
    setFound(undefined)
    apply()
  }
  const name = useFieldName()(field)

  async function save(event: FormEvent) {
    event.preventDefault()
    if (isSaving) return
    const next = isMark(field.type) ? mark.read() : value
    const wrong =
      isMark(field.type) && next === null && field.required ? mark.missing(texts) : problemOf(field, next, texts)
    setFound(wrong)
    if (wrong !== undefined) return
    const targets = isMark(field.type) && mark.isForAll ? [field, ...mark.others] : [field]
    try {
      await onSave(targets.map(({ id }) => ({ fieldId: id, value: isFilled(next) || next === false ? next : null })))
    } catch (error) {
      setFound(failureText(wording, error))
    }
  }

  const step = texts.field.step(index + 1, steps.length)
  const need = field.required ? texts.field.required : texts.field.optional
  // Other inputs have the name as their label.
  const heading = isMark(field.type) ? { title: name, hint: `${step} · ${need}` } : { title: step, hint: need }
  return (
    <Panel
      {...heading}
      progress={(index + 1) / steps.length}
      onSubmit={(event) => void save(event)}
      actions={
        <>
          <Button size="large" onClick={onBack}>
            {texts.back}
          </Button>
          <Button type="submit" look="primary" size="large" isPending={isSaving}>
            {texts.field.next}
          </Button>
        </>
      }
    >
      {isMark(field.type) ? (
        <MarkStep
          field={field}
          name={name}
          mark={{ ...mark, setDraft: (draft) => change(() => mark.setDraft(draft)) }}
          problem={found}
          count={sameKind(steps, field).length + 1}
        />
      ) : (
        <>
          <ValueInput
            field={field}
            label={name}
            value={value}
            problem={found}
            onChange={(next) => change(() => setValue(next))}
          />
          {field.isPrefilled && (
            <p className="text-soft text-sm">{texts.field.prefilled(facts.document.sender.name)}</p>
          )}
        </>
      )}
    </Panel>
  )
}

type MarkState = Omit<ReturnType<typeof useMarkDraft>, 'setDraft'> & { setDraft: (draft: MarkDraft) => void }

/** A signature given once is proposed for every field of its kind. */
function useMarkDraft(field: FactsField, steps: readonly FactsField[], name: string) {
  // Read from the facts each time: they hold the signature of the step before only a moment after this one is shown.
  const [isReplacing, setReplacing] = useState(false)
  const adopted: Mark | undefined = isReplacing ? undefined : initialMark(field, steps)
  const [draft, setDraft] = useState(() => beginMark(field.type === 'INITIALS' ? initialsOf(name) : name))
  const [isForAll, setForAll] = useState(true)
  const others = sameKind(steps, field).filter(({ value }) => adopted === undefined || !isFilled(value))
  const read = (): FieldValue | null => adopted ?? markOf(draft)
  const missing = ({ problem }: ReturnType<typeof useSigning>['texts']) =>
    ({ draw: problem.draw, type: problem.type, upload: problem.upload })[draft.way]
  return { adopted, replace: () => setReplacing(true), draft, setDraft, isForAll, setForAll, others, read, missing }
}

const initialsOf = (name: string): string =>
  name
    .trim()
    .split(/\s+/)
    .map((word) => [...word][0] ?? '')
    .join('')
    .slice(0, 4)

interface MarkStepProps {
  field: FactsField
  name: string
  mark: MarkState
  problem: string | undefined
  count: number
}

function MarkStep({ field, name, mark, problem, count }: MarkStepProps) {
  const { texts } = useSigning()
  const { adopted, replace, draft, setDraft, isForAll, setForAll, others } = mark
  return (
    <div className="flex flex-col gap-3">
      {adopted === undefined ? (
        <MarkInput
          label={name}
          isInitials={field.type === 'INITIALS'}
          draft={draft}
          problem={problem}
          onChange={setDraft}
        />
      ) : (
        <>
          <MarkPicture mark={adopted} />
          <Button look="quiet" size="small" className="self-start" onClick={replace}>
            {texts.mark.change}
          </Button>
        </>
      )}
      {others.length > 0 && (
        <Check isOn={isForAll} onChange={() => setForAll(!isForAll)}>
          {texts.mark.forAll(count)}
        </Check>
      )}
    </div>
  )
}
