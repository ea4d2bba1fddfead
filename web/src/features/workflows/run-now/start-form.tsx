/** The part of the run form that every kind of start shares: the catalog, the request and its failure. */
import type { RunItem } from '@chancery/contract/workflows/runs.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { uuidV4 } from '#lib/browser/uuid.ts'
import { ApiError, unreachable } from '#lib/problems/api-error.ts'
import { Button } from '#ui/button/button.tsx'
import { FormFailure } from '#ui/feedback/states.tsx'
import { Field } from '#ui/form/field.tsx'
import { Select } from '#ui/form/inputs.tsx'
import { DialogActions } from '#ui/overlay/dialog.tsx'
import { workflowKeys } from '../api.ts'
import { useCatalogs } from '../catalogs/api.ts'
import { readJson } from '../json-text.ts'
import { runKeys } from '../runs/api.ts'
import { startRun } from './api.ts'
import { EffectsChoice } from './effects-choice.tsx'

interface StartFormProps {
  workflowId: string
  /** Runs the draft instead of the live version. */
  isTest: boolean
  onStarted: (run: RunItem) => void
  onClose: () => void
  /** JSON as typed. */
  text: string
  bodyOf: (value: unknown) => object
  children: (problem: string | undefined) => ReactNode
}

export function StartForm({ workflowId, isTest, text, bodyOf, onStarted, onClose, children }: StartFormProps) {
  const [catalogId, setCatalogId] = useState('')
  const [isDry, setDry] = useState(true)
  const [problem, setProblem] = useState<string>()
  const catalogs = useCatalogs()
  const start = useStart(workflowId, isTest, onStarted)
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    const read = readJson(text)
    setProblem(read.problem)
    if (read.problem === undefined)
      start.mutate({
        ...bodyOf(read.value),
        ...(catalogId !== '' && { catalog_id: catalogId }),
        ...(isTest && { effects: !isDry }),
      })
  }
  return (
    <form noValidate onSubmit={onSubmit} className="flex flex-col gap-4">
      {children(problem)}
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
      {isTest && <EffectsChoice isDry={isDry} onChange={setDry} />}
      <FormFailure error={start.error ? asApiError(start.error) : undefined} />
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look="primary" isPending={start.isPending}>
          {isTest ? 'Start test' : 'Start run'}
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
function useStart(workflowId: string, isTest: boolean, onStarted: (run: RunItem) => void) {
  const queryClient = useQueryClient()
  const last = useRef({ json: '', key: '' })
  const keyOf = (body: unknown): string => {
    const json = JSON.stringify(body)
    if (json !== last.current.json) last.current = { json, key: uuidV4() }
    return last.current.key
  }
  return useMutation({
    mutationFn: (body: unknown) => startRun(workflowId, { isTest, body, key: keyOf(body) }),
    onSuccess: async (run) => {
      onStarted(run)
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: workflowKeys.lists }),
        queryClient.invalidateQueries({ queryKey: runKeys.lists }),
      ])
    },
  })
}
