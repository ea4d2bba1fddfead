/** Runs the actions of a single row: the question before, the call, and what is said afterwards. */
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { ApiError } from '#lib/problems/api-error.ts'
import { FormFailure } from '#ui/feedback/states.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { Confirm } from '#ui/overlay/dialog.tsx'
import { NamedConfirm } from '#ui/overlay/dialog-named.tsx'
import { type Doing, doneText, type RowAction, type RowActions, whatOf } from './row-action.ts'

interface Chosen<Row> {
  action: Doing<Row>
  row: Row
}

export interface RowRunner<Row> {
  start: (action: RowAction<Row>, row: Row) => void
  isRunning: (action: RowAction<Row>, row: Row) => boolean
  /** The question that is open. It has to be on the page. */
  question: ReactNode
}

export function useRowActions<Row>(actions: RowActions<Row>): RowRunner<Row> {
  const [asked, setAsked] = useState<Chosen<Row>>()
  const run = useMutation({
    mutationFn: async ({ action, row }: Chosen<Row>) => {
      await action.call(row, '')
    },
    onSuccess: (_, { action, row }) => toast.done(doneText(actions, action, row)),
    onError: (error, { action }) => {
      if (!action.ask?.keepsFailure) toast.failed(error)
    },
    onSettled: async (_, error, { action }) => {
      if (error === null || !action.ask?.keepsFailure) setAsked(undefined)
      await actions.refresh()
    },
  })
  // The text stays while the dialog fades out.
  const last = useRef(asked)
  last.current = asked ?? last.current
  return {
    start: (action, row) => {
      if ('open' in action) action.open(row)
      else if (action.ask?.one) {
        run.reset()
        setAsked({ action, row })
      } else run.mutate({ action, row })
    },
    isRunning: (action, row) =>
      run.isPending && run.variables.action.label === action.label && run.variables.row === row,
    question: last.current && (
      <RowQuestion
        {...last.current}
        actions={actions}
        isOpen={asked !== undefined}
        isPending={run.isPending}
        failure={run.error}
        onConfirm={() => asked && run.mutate(asked)}
        onClose={() => {
          run.reset()
          setAsked(undefined)
        }}
      />
    ),
  }
}

interface RowQuestionProps<Row> extends Chosen<Row> {
  actions: RowActions<Row>
  isOpen: boolean
  isPending: boolean
  failure: Error | null
  onConfirm: () => void
  onClose: () => void
}

function RowQuestion<Row>({ action, row, actions, isOpen, failure, ...rest }: RowQuestionProps<Row>) {
  const { ask, label } = action
  if (!ask?.one) return null
  const texts = {
    title: ask.title(whatOf(actions, row)),
    loss: ask.one(row),
    action: ask.button ?? label,
  }
  if (ask.isTyped) return isOpen && <NamedConfirm {...texts} {...rest} name={actions.nameOf(row)} />
  if (!ask.keepsFailure) return <Confirm {...texts} {...rest} isOpen={isOpen} />
  const loss = (
    <div className="flex flex-col gap-3">
      {texts.loss}
      <FormFailure error={failure instanceof ApiError ? failure : undefined} />
    </div>
  )
  return <Confirm {...texts} {...rest} loss={loss} isOpen={isOpen} />
}
