/** What came with an upload and isn't in the file that is signed, and the upload itself. */
import type { SigningFile } from '@chancery/contract/signing/documents.ts'
import type { RemovedKind } from '@chancery/contract/signing/prepared.ts'
import type { z } from 'zod'
import { subtleLink } from '#ui/button/href-link.tsx'
import { cx } from '#ui/class-names.ts'

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

interface Props {
  file: File
  /** Undefined for everybody but the sender. */
  uploadUrl: string | undefined
}

export const FileNotes = ({ file, uploadUrl }: Props) => (
  <>
    {file.hasSignatures && <SignedNote file={file} />}
    {file.upload !== null && <RemovedNote file={file} uploadUrl={uploadUrl} />}
  </>
)

function SignedNote({ file: { earlierSignatures } }: Pick<Props, 'file'>) {
  const people = [...new Set(earlierSignatures.flatMap((signature) => signerIn(signature) ?? []))].slice(0, mostNames)
  return (
    <p className="text-sm text-warn">
      Signed before it was uploaded{people.length > 0 && `, by ${people.join(', ')}`}. The finished document won’t carry
      that signature; the file as uploaded keeps it.
    </p>
  )
}

const mostNames = 3

/** As the file or the certificate names them. */
const signerIn = ({ name, subject }: File['earlierSignatures'][number]): string | undefined =>
  name ?? /(?:^|, )CN=([^,]+)/.exec(subject ?? '')?.[1]

function RemovedNote({ file, uploadUrl }: Props) {
  const parts = file.removed.filter(({ kind }) => kind !== 'signatures')
  return (
    <p className="text-faint text-sm">
      {parts.length > 0 && 'Removed when the file was made safe: '}
      {parts.map(({ kind, pages }, index) => (
        <span key={kind} title={pagesText(pages)}>
          {index > 0 && ', '}
          {labels[kind]}
        </span>
      ))}
      {parts.length > 0 && '. '}
      {uploadUrl !== undefined && (
        <a
          href={uploadUrl}
          download
          aria-label={`${file.name} as uploaded`}
          className={cx(subtleLink, 'whitespace-nowrap')}
        >
          As uploaded
        </a>
      )}
    </p>
  )
}

const mostPages = 20

const pagesText = (pages: readonly number[]): string | undefined => {
  if (pages.length === 0) return undefined
  const shown = pages.slice(0, mostPages).join(', ')
  return `${pages.length === 1 ? 'Page' : 'Pages'} ${shown}${pages.length > mostPages ? ' and more' : ''}`
}
