/** Collections found by the palette. Platform admins have none here. */
import { useRouter } from '@tanstack/react-router'
import { BookOpenText } from 'lucide-react'
import { useViewer } from '#data/viewer.ts'
import { useFoundCollections } from '#features/knowledge/use-found-collections.ts'
import type { Command } from './commands.ts'

export function useKnowledgeCommands(text: string): Command[] {
  const { kind } = useViewer()
  const router = useRouter()
  return useFoundCollections(text, kind === 'person').map(({ id, name }) => ({
    group: 'Knowledge',
    id,
    label: name,
    icon: BookOpenText,
    run: () => router.history.push(`/knowledge/${id}`),
  }))
}
