/** Workflows found by the palette. Platform admins have none. */
import { useRouter } from '@tanstack/react-router'
import { Workflow } from 'lucide-react'
import { useViewer } from '#data/viewer.ts'
import { useFoundWorkflows } from '#features/workflows/list/use-found-workflows.ts'
import type { Command } from './commands.ts'

export function useWorkflowCommands(text: string): Command[] {
  const { kind } = useViewer()
  const router = useRouter()
  return useFoundWorkflows(text, kind === 'person').map(({ id, name }) => ({
    group: 'Workflows',
    id,
    label: name,
    icon: Workflow,
    run: () => router.history.push(`/workflows/${id}`),
  }))
}
