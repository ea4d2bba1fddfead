/** Documents found by the palette. Platform admins have none. */
import { useRouter } from '@tanstack/react-router'
import { FileSignature } from 'lucide-react'
import { useViewer } from '#data/viewer.ts'
import { useFoundDocuments } from '#features/signing/documents/use-found-documents.ts'
import type { Command } from './commands.ts'

export function useDocumentCommands(text: string): Command[] {
  const { kind } = useViewer()
  const router = useRouter()
  return useFoundDocuments(text, kind === 'person').map(({ id, title }) => ({
    group: 'Documents',
    id,
    label: title,
    icon: FileSignature,
    run: () => router.history.push(`/documents/${id}`),
  }))
}
