/** What the upload had and the file that is signed hasn't, with the upload itself. */
import type { SigningFile } from '@chancery/contract/signing/documents.ts'
import type { RemovedKind } from '@chancery/contract/signing/prepared.ts'
import type { z } from 'zod'
import { subtleLink } from '#ui/button/href-link.tsx'
import { fileUrl } from '../../documents/api.ts'

type File = z.output<typeof SigningFile>

const labels: Record<RemovedKind, string> = {
  scripts: 'scripts',
  actions: 'automatic actions',
  links: 'links',
  attachments: 'attached files',
  media: 'sound, video or 3D',
  comments: 'comments',
  form_fields: 'the form (what it shows is kept)',
  hidden_annotations: 'hidden notes',
  annotations_without_look: 'notes that show nothing',
  hidden_layers: 'hidden layers',
  external_files: 'parts that are in other files',
  signatures: 'earlier signatures',
  restrictions: 'limits on printing and editing',
  bookmarks: 'bookmarks',
  accessibility_tags: 'tags for screen readers',
  private_data: 'data of other programs',
}

export function RemovedNote({ documentId, file }: { documentId: string; file: File }) {
  const { removed, upload, name } = file
  if (upload === null) return null
  const parts = removed.map(({ kind, pages }) => (
    <span key={kind} title={pagesText(pages)}>
      {labels[kind]}
    </span>
  ))
  return (
    <span className="block text-faint text-sm">
      {parts.length > 0 && (
        <>
          Removed when the file was made safe: {parts.flatMap((part, index) => (index === 0 ? [part] : [', ', part]))}.{' '}
        </>
      )}
      <a
        href={fileUrl(documentId, { version: 'uploaded', fileId: file.id })}
        download
        aria-label={`${name} as uploaded`}
        className={subtleLink}
      >
        As uploaded
      </a>
    </span>
  )
}

const mostPages = 20

const pagesText = (pages: readonly number[]): string | undefined => {
  if (pages.length === 0) return undefined
  const shown = pages.slice(0, mostPages).join(', ')
  return `${pages.length === 1 ? 'Page' : 'Pages'} ${shown}${pages.length > mostPages ? ' and more' : ''}`
}
