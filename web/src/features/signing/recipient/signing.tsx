/** The document with its fields, and the panel that leads through them. */
import { useEffect, useMemo, useState } from 'react'
import { ApiError } from '#lib/problems/api-error.ts'
import { type Facts, type FactsField, type Filled, useComplete, useFillFields } from './api.ts'
import { FieldStep } from './fields/field-step.tsx'
import { elementIdOf } from './fields/page-fields.tsx'
import { listSteps, nextMissing, stepAfter } from './fields/steps.ts'
import { DeclinePanel, DelegatePanel } from './leave-panels.tsx'
import { ConsentPanel, FinishPanel, ReadPanel } from './panels.tsx'
import { failureText, fieldProblemText, useSigning } from './signing-context.ts'
import { SigningFrame } from './signing-frame.tsx'

type View =
  | { kind: 'read' | 'consent' | 'finish' | 'decline' | 'delegate' }
  | { kind: 'field'; index: number; problem?: string | undefined }

interface SigningProps {
  facts: Facts
  onDelegated: (name: string) => void
}

export function Signing({ facts, onDelegated }: SigningProps) {
  const steps = useMemo(
    () =>
      listSteps(
        facts.fields,
        facts.document.files.map(({ id }) => id),
      ),
    [facts.fields, facts.document.files],
  )
  const [view, setView] = useState<View>({ kind: 'read' })
  const current = view.kind === 'field' ? steps[view.index] : undefined
  useScrollTo(current)
  const begin = () => setView(firstStep(steps))
  const hasAgreed = facts.consent.acceptedAt !== null
  const choose = (id: string) => {
    const index = steps.findIndex((step) => step.id === id)
    if (facts.canComplete && index >= 0) setView(hasAgreed ? { kind: 'field', index } : { kind: 'consent' })
  }
  const read = () => setView({ kind: 'read' })
  return (
    <SigningFrame
      facts={facts}
      currentId={current?.id}
      onChoose={choose}
      onDecline={() => setView({ kind: 'decline' })}
      onDelegate={() => setView({ kind: 'delegate' })}
    >
      {view.kind === 'read' && (
        <ReadPanel
          facts={facts}
          fieldCount={steps.length}
          onBegin={hasAgreed ? begin : () => setView({ kind: 'consent' })}
        />
      )}
      {view.kind === 'consent' && <ConsentPanel facts={facts} onAgreed={begin} onBack={read} />}
      {view.kind === 'decline' && <DeclinePanel onCancel={read} />}
      {view.kind === 'delegate' && <DelegatePanel onDone={onDelegated} onCancel={read} />}
      {(view.kind === 'field' || view.kind === 'finish') && (
        <Filling facts={facts} steps={steps} view={view} onView={setView} />
      )}
    </SigningFrame>
  )
}

/** A return starts where something is missing; without fields there is only the end. */
const firstStep = (steps: readonly FactsField[]): View => {
  const index = nextMissing(steps)
  if (index !== undefined) return { kind: 'field', index }
  return { kind: 'finish' }
}

interface FillingProps {
  facts: Facts
  steps: readonly FactsField[]
  view: Extract<View, { kind: 'field' }> | { kind: Exclude<View['kind'], 'field'> }
  onView: (view: View) => void
}

function Filling({ facts, steps, view, onView }: FillingProps) {
  const wording = useSigning()
  const fill = useFillFields(wording.token)
  const complete = useComplete(wording.token)

  const goTo = (index: number | undefined) =>
    onView(index === undefined ? { kind: 'finish' } : { kind: 'field', index })
  const save = async (index: number, values: Filled[]) => {
    await fill.mutateAsync(values)
    const saved = new Map(values.map(({ fieldId, value }) => [fieldId, value]))
    goTo(
      stepAfter(
        steps.map((step) => ({ ...step, value: saved.get(step.id) ?? step.value })),
        index,
      ),
    )
  }
  const finish = () =>
    complete.mutate(undefined, {
      onError: (error) => {
        const wrong = wrongField(error, steps)
        if (wrong) onView({ kind: 'field', index: wrong.index, problem: fieldProblemText(wording, wrong.problem) })
      },
    })

  const field = view.kind === 'field' ? steps[view.index] : undefined
  if (view.kind === 'field' && field !== undefined) {
    const { index, problem } = view
    return (
      <FieldStep
        key={`${field.id} ${problem ?? ''}`}
        facts={facts}
        steps={steps}
        index={index}
        field={field}
        problem={problem}
        isSaving={fill.isPending}
        onSave={(values) => save(index, values)}
        onBack={() => onView(index === 0 ? { kind: 'read' } : { kind: 'field', index: index - 1 })}
      />
    )
  }
  return (
    <FinishPanel
      isApproval={facts.recipient.role === 'APPROVER'}
      isPending={complete.isPending}
      failure={complete.error ? failureText(wording, complete.error) : undefined}
      onFinish={finish}
      onBack={() => onView(steps.length === 0 ? { kind: 'read' } : { kind: 'field', index: steps.length - 1 })}
    />
  )
}

/** The server names the fields that are missing or wrong: the recipient is led to the first. */
function wrongField(error: unknown, steps: readonly FactsField[]) {
  if (!(error instanceof ApiError)) return undefined
  for (const problem of error.problems) {
    const index = steps.findIndex(({ id }) => problem.loc.includes(id))
    if (index >= 0) return { index, problem }
  }
  return undefined
}

function useScrollTo(field: FactsField | undefined) {
  const id = field?.id
  useEffect(() => {
    if (id === undefined) return
    document.getElementById(elementIdOf(id))?.scrollIntoView({ block: 'start', behavior: 'smooth' })
  }, [id])
}
