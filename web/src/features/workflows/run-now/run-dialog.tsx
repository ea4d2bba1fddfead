/** Starts a run of the live version with custom input. If nothing is live, it says what is missing. */
import { RunItem } from '@chancery/contract/workflow-runs.ts'
import type { Workflow } from '@chancery/contract/workflows.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { api } from '#lib/api.ts'
import { ApiError, unreachable } from '#lib/api-error.ts'
import { readStored, store } from '#lib/browser-storage.ts'
import { uuidV4 } from '#lib/uuid.ts'
import { usePerson } from '#lib/viewer.ts'
import { Button } from '#ui/button.tsx'
import { Dialog, DialogActions } from '#ui/dialog.tsx'
import { Field } from '#ui/field.tsx'
import { Select, TextArea } from '#ui/inputs.tsx'
import { FormFailure } from '#ui/states.tsx'
import { workflowKeys, workflowPath } from '../api.ts'
import { useCatalogs } from '../catalogs/api.ts'
import { readJson } from '../json-text.ts'
import { runKeys } from '../runs/api.ts'
import { missingBeforeRun } from './missing-before-run.ts'

interface RunDialogProps {
  workflow: Workflow
  /** Renders a link to the review page. */
  reviewLink: ReactNode
  onStarted: (run: RunItem) => void
  onClose: () => void
}

export function RunDialog({ workflow, reviewLink, onStarted, onClose }: RunDialogProps) {
  const { live_version, has_changes, fires } = workflow
  if (live_version === null || !fires)
    return (
      <Dialog title="Nothing to run yet" hint={missingBeforeRun(workflow)} isOpen onClose={onClose}>
        <DialogActions>
          <Button onClick={onClose}>Close</Button>
          {reviewLink}
        </DialogActions>
      </Dialog>
    )
  return (
    <Dialog
      title={`Run “${workflow.name}”`}
      hint={`Runs version ${live_version}, which is live.${has_changes ? ' Later changes aren’t included.' : ''}`}
      isOpen
      onClose={onClose}
      isSticky
    >
      <RunForm workflow={workflow} onStarted={onStarted} onClose={onClose} />
    </Dialog>
  )
}

function RunForm({ workflow, onStarted, onClose }: Omit<RunDialogProps, 'reviewLink'>) {
  const person = usePerson()
  // Cleared for the next person who signs in here.
  const storageKey = `run-input.${person.id}.${workflow.id}`
  const [text, setText] = useState(() => readStored(storageKey) ?? '')
  const [catalogId, setCatalogId] = useState('')
  const [problem, setProblem] = useState<string>()
  const catalogs = useCatalogs()
  const start = useStart(workflow.id, onStarted)
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    const input = readJson(text)
    setProblem(input.problem)
    if (input.problem !== undefined) return
    store(storageKey, text)
    start.mutate({
      ...(input.value !== undefined && { input: input.value }),
      ...(catalogId !== '' && { catalog_id: catalogId }),
    })
  }
  return (
    <form noValidate onSubmit={onSubmit} className="flex flex-col gap-4">
      <Field
        label="Input"
        name="input"
        isOptional
        problem={problem}
        help='JSON for the first node. Later nodes can read it as state["input"].'
      >
        <TextArea
          rows={8}
          spellCheck={false}
          placeholder={'{\n  "customer": "Acme"\n}'}
          value={text}
          onChange={(event) => setText(event.target.value)}
          className="font-mono"
        />
      </Field>
      <Field label="Catalog" name="catalog_id" help="The credentials the run uses to call models.">
        <Select value={catalogId} onChange={(event) => setCatalogId(event.target.value)}>
          <option value="">Default connections</option>
          {catalogs.data?.items.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      </Field>
      <FormFailure error={start.error ? asApiError(start.error) : undefined} />
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look="primary" isPending={start.isPending}>
          Start run
        </Button>
      </DialogActions>
    </form>
  )
}

const asApiError = (error: Error): ApiError => (error instanceof ApiError ? error : unreachable())

/**
 * A resent request must be the same run; a request with different input is a new one, even if the first answer was
 * lost.
 */
function useStart(workflowId: string, onStarted: (run: RunItem) => void) {
  const queryClient = useQueryClient()
  const last = useRef({ json: '', key: '' })
  const keyOf = (body: unknown): string => {
    const json = JSON.stringify(body)
    if (json !== last.current.json) last.current = { json, key: uuidV4() }
    return last.current.key
  }
  return useMutation({
    mutationFn: (body: unknown) => api.once(`${workflowPath(workflowId)}/runs`, body, keyOf(body), RunItem),
    onSuccess: async (run) => {
      onStarted(run)
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: workflowKeys.lists }),
        queryClient.invalidateQueries({ queryKey: runKeys.lists }),
      ])
    },
  })
}
