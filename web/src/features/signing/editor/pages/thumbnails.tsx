/** Small pictures of all pages, to jump to one. New fields then go to that page. */
import type { SigningDocument } from '@chancery/contract/signing/documents.ts'
import { fileUrl } from '../../documents/api.ts'
import { PdfFile } from '../../pdf/pdf-file.tsx'
import type { Editor, PageRef } from '../use-editor.ts'

export const pageElementId = ({ fileId, page }: PageRef) => `page-${fileId}-${page}`

interface ThumbnailsProps {
  document: SigningDocument
  editor: Editor
  onActive: (page: PageRef) => void
}

export function Thumbnails({ document, editor, onActive }: ThumbnailsProps) {
  return (
    <nav
      aria-label="Pages"
      className="flex w-36 shrink-0 flex-col gap-3 overflow-y-auto border-r px-5 py-4 max-xl:hidden"
    >
      {document.files.map((file) => (
        <PdfFile
          key={file.id}
          source={{ url: fileUrl(document.id, { fileId: file.id }), pages: file.pages }}
          labelOf={(page) => `Small picture of page ${page} of ${file.name}`}
          failure={() => null}
          overlay={(page) => {
            const count = editor.fields.filter((field) => field.fileId === file.id && field.page === page).length
            return <Jump target={{ fileId: file.id, page }} count={count} onActive={onActive} />
          }}
        />
      ))}
    </nav>
  )
}

interface JumpProps {
  target: PageRef
  count: number
  onActive: (page: PageRef) => void
}

function Jump({ target, count, onActive }: JumpProps) {
  const go = () => {
    onActive(target)
    document.getElementById(pageElementId(target))?.scrollIntoView({ block: 'start', behavior: 'smooth' })
  }
  return (
    <button
      type="button"
      onClick={go}
      className="absolute inset-0 flex items-end justify-between p-1 text-[#54524d] text-xs hover:bg-[#191b22]/5"
    >
      <span className="rounded bg-white/90 px-1">
        <span className="sr-only">Go to page </span>
        {target.page}
      </span>
      {count > 0 && (
        <span className="figures rounded-full bg-[#191b22] px-1.5 text-white">
          {count}
          <span className="sr-only">{count === 1 ? ' field' : ' fields'}</span>
        </span>
      )}
    </button>
  )
}
