/** The document as it stands: the original pages with what has been filled in so far. */
import type { SigningDocument } from '@chancery/contract/signing/documents.ts'
import { Button } from '#ui/button/button.tsx'
import { Panel } from '#ui/page/layout.tsx'
import { fileUrl } from '../documents/api.ts'
import { shownValue } from '../pdf/day-text.ts'
import { FieldValueView, positionOf } from '../pdf/field-value.tsx'
import { PdfFile } from '../pdf/pdf-file.tsx'

export function PreviewPanel({ document }: { document: SigningDocument }) {
  return (
    <Panel title="Preview" isFlush>
      <section
        aria-label="Pages"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: an area that scrolls must be reachable by keyboard
        tabIndex={0}
        className="flex max-h-160 flex-col gap-3 overflow-y-auto rounded-b-panel bg-desk p-4"
      >
        {document.files.map((file) => (
          <PdfFile
            key={file.id}
            source={{ url: fileUrl(document.id, { fileId: file.id }), pages: file.pages }}
            labelOf={(page) => `${file.name}, page ${page}`}
            failure={(retry) => (
              <p role="alert" className="flex items-center justify-between gap-3 text-bad">
                The document couldn’t be loaded.
                <Button size="small" onClick={retry}>
                  Try again
                </Button>
              </p>
            )}
            overlay={(page) => <Values document={document} fileId={file.id} page={page} />}
          />
        ))}
      </section>
    </Panel>
  )
}

interface ValuesProps {
  document: SigningDocument
  fileId: string
  page: number
}

function Values({ document: { fields, files, recipients, language }, fileId, page }: ValuesProps) {
  const size = files.find(({ id }) => id === fileId)?.pages[page - 1]
  if (size === undefined) return null
  return fields
    .filter((field) => field.fileId === fileId && field.page === page)
    .map((field) => (
      <div
        key={field.id}
        title={recipients.find(({ id }) => id === field.recipientId)?.name}
        style={positionOf(field)}
        className={`absolute overflow-hidden ${field.value === null ? 'rounded-[3px] border border-[#191b22]/40 border-dashed' : ''}`}
      >
        {field.value !== null && (
          <FieldValueView field={field} value={shownValue(language, field.type, field.value)} page={size} />
        )}
      </div>
    ))
}
