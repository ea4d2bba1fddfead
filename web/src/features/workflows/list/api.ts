/** Creating, duplicating, exporting and deleting workflows. */
import * as endpoints from '@chancery/contract/endpoints/workflows.ts'
import type {
  Workflow,
  WorkflowFile,
  WorkflowItem,
  WorkflowPut,
  WorkflowTemplate,
} from '@chancery/contract/workflows/workflows.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { saveFile } from '#lib/browser/save-file.ts'
import { call, unchecked } from '#lib/http/call.ts'
import { workflowKeys } from '../api.ts'
import { copyName, fileNameOf } from './names.ts'

type File = z.output<typeof WorkflowFile>
export type Named = Pick<z.output<typeof WorkflowItem>, 'id' | 'name'>
/** A workflow's properties besides its graph. */
export type Described = Named & Pick<z.output<typeof WorkflowItem>, 'description' | 'space_id' | 'error_workflow_id'>

export const useTemplates = (isOn: boolean) =>
  useQuery({
    queryKey: ['workflow-templates'],
    queryFn: () => call(endpoints.listWorkflowTemplates),
    staleTime: Number.POSITIVE_INFINITY,
    enabled: isOn,
  })

const readFile = ({ id }: Named): Promise<File> => call(endpoints.exportWorkflow, { params: { id } })
const importFile = (file: unknown): Promise<Workflow> => call(endpoints.importWorkflow, { body: unchecked(file) })

/** What a new workflow is created from. */
export type Beginning =
  | { kind: 'blank'; name: string }
  | { kind: 'template'; name: string; template: WorkflowTemplate }
  | { kind: 'file'; file: unknown }

const begin = (from: Beginning): Promise<Workflow> => {
  if (from.kind === 'file') return importFile(from.file)
  if (from.kind === 'blank') return call(endpoints.createWorkflow, { body: { name: from.name } })
  const { description, graph } = from.template
  return call(endpoints.createWorkflow, { body: { name: from.name, description, graph } })
}

export function useCreateWorkflow(onMade: (workflow: Workflow) => void) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: begin,
    onSuccess: async (workflow) => {
      queryClient.setQueryData(workflowKeys.one(workflow.id), workflow)
      await queryClient.invalidateQueries({ queryKey: workflowKeys.lists })
      onMade(workflow)
    },
  })
}

type Details = Pick<z.input<typeof WorkflowPut>, 'name' | 'description' | 'space_id' | 'error_workflow_id'>

export function useSaveDetails(id: string) {
  const queryClient = useQueryClient()
  return async (body: Details): Promise<void> => {
    const saved = await call(endpoints.updateWorkflow, { params: { id }, body })
    const { name, description, space_id, error_workflow_id, updated_at } = saved
    // Without the graph: an editor on the same page may be ahead of this reply.
    queryClient.setQueryData<Workflow>(
      workflowKeys.one(id),
      (known) => known && { ...known, name, description, space_id, error_workflow_id, updated_at },
    )
    void queryClient.invalidateQueries({ queryKey: workflowKeys.lists })
  }
}

/** Uses an export file, which contains no secrets: they have to be entered again. */
export const duplicateWorkflow = async (workflow: Named): Promise<Workflow> =>
  importFile({ ...(await readFile(workflow)), name: copyName(workflow.name) })

export async function exportWorkflow(workflow: Named) {
  const file = await readFile(workflow)
  saveFile(fileNameOf(file.name), `${JSON.stringify(file, null, 2)}\n`, 'application/json')
}

export const deleteWorkflow = ({ id }: Named) => call(endpoints.deleteWorkflow, { params: { id } })

export function useRefreshWorkflows() {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: workflowKeys.all })
}
