/** The editor of a draft: pages with fields in the middle, recipients, field types and properties beside them. */

import type { SigningDocument } from '@chancery/contract/signing/documents.ts'
import type { FieldType } from '@chancery/contract/signing/signing.ts'
import { CircleAlert } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button } from '#ui/button/button.tsx'
import { cx } from '#ui/class-names.ts'
import { fileUrl } from '../documents/api.ts'
import { PdfFile } from '../pdf/pdf-file.tsx'
import { colourOf } from './colours.ts'
import { EditorPage } from './pages/editor-page.tsx'
import { pageElementId, Thumbnails } from './pages/thumbnails.tsx'
import { DetectFields } from './panel/detect-fields.tsx'
import { FilesSection } from './panel/files-section.tsx'
import { Palette } from './panel/palette.tsx'
import { Properties } from './panel/properties.tsx'
import { RecipientList } from './panel/recipient-list.tsx'
import { ReviewDialog } from './review/review-dialog.tsx'
import { ConflictNotice, Toolbar } from './toolbar.tsx'
import { type Editor, type PageRef, useEditor } from './use-editor.ts'
import { useEditorKeys } from './use-editor-keys.ts'

interface SigningEditorProps {
  document: SigningDocument
  menu: ReactNode
  back: ReactNode
}

export function SigningEditor({ document, menu, back }: SigningEditorProps) {
  const editor = useEditor(document)
  const [chosenId, setChosenId] = useState<string>()
  const [page, setPage] = useState<PageRef | undefined>(() => firstPage(document))
  const [zoom, setZoom] = useState(1)
  const [isReviewing, setReviewing] = useState(false)
  const recipientId = document.recipients.find(({ id }) => id === chosenId)?.id ?? document.recipients[0]?.id
  useEditorKeys(editor, page)
  const add = (type: FieldType) => {
    const size = document.files.find(({ id }) => id === page?.fileId)?.pages[(page?.page ?? 1) - 1]
    if (page && size && recipientId !== undefined) editor.add(type, recipientId, { ...page, size, x: 0.5, y: 0.4 })
  }
  return (
    <div className="flex h-[calc(100dvh-3.75rem-env(safe-area-inset-bottom))] flex-col max-sm:-mb-20 sm:h-dvh">
      <Toolbar
        document={document}
        editor={editor}
        zoom={zoom}
        onZoom={setZoom}
        onReview={() => setReviewing(true)}
        menu={menu}
        back={back}
      />
      <ConflictNotice editor={editor} />
      <div className="flex min-h-0 flex-1 max-md:flex-col">
        <Thumbnails document={document} editor={editor} onActive={setPage} />
        <Pages document={document} editor={editor} zoom={zoom} recipientId={recipientId} onActive={setPage} />
        <aside
          aria-label="Recipients and fields"
          className="flex shrink-0 flex-col divide-y divide-line overflow-y-auto bg-surface max-md:max-h-[45dvh] max-md:border-t md:w-80 md:border-l"
        >
          <Section title="Recipients">
            <RecipientList document={document} activeId={recipientId} onActive={setChosenId} />
          </Section>
          <Section title="Fields">
            <Palette
              colour={recipientId === undefined ? 'transparent' : colourOf(document.recipients, recipientId)}
              isOff={recipientId === undefined}
              onAdd={add}
            />
            {recipientId !== undefined && (
              <DetectFields document={document} editor={editor} recipientId={recipientId} onActive={setPage} />
            )}
          </Section>
          {editor.chosen.length > 0 && (
            <Section title="Properties" isFirstOnPhones>
              <Properties document={document} editor={editor} />
            </Section>
          )}
          <Section title="Files">
            <FilesSection document={document} />
          </Section>
        </aside>
      </div>
      {isReviewing && (
        <ReviewDialog
          document={document}
          editor={editor}
          onSent={() => setReviewing(false)}
          onClose={() => setReviewing(false)}
        />
      )}
    </div>
  )
}

const firstPage = ({ files: [file] }: SigningDocument): PageRef | undefined => file && { fileId: file.id, page: 1 }

interface SectionProps {
  title: string
  isFirstOnPhones?: boolean
  children: ReactNode
}

const Section = ({ title, isFirstOnPhones = false, children }: SectionProps) => (
  <section aria-label={title} className={cx('px-4 py-4', isFirstOnPhones && 'max-md:order-first')}>
    <h2 className="mb-2 font-medium text-faint text-xs">{title}</h2>
    {children}
  </section>
)

interface PagesProps {
  document: SigningDocument
  editor: Editor
  zoom: number
  recipientId: string | undefined
  onActive: (page: PageRef) => void
}

function Pages({ document, editor, zoom, recipientId, onActive }: PagesProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: an area that scrolls must be reachable by keyboard
    <section aria-label="Pages" tabIndex={0} className="min-h-0 min-w-0 flex-1 overflow-auto bg-desk p-3 sm:p-6">
      <div
        className="mx-auto flex flex-col gap-4"
        style={{
          width: `${Math.min(zoom, 1) * 100}%`,
          maxWidth: `${46 * zoom}rem`,
          minWidth: zoom > 1 ? `${zoom * 100}%` : undefined,
        }}
      >
        {document.files.map((file) => (
          <PdfFile
            key={file.id}
            source={{ url: fileUrl(document.id, { fileId: file.id }), pages: file.pages }}
            labelOf={(page) => `${file.name}, page ${page}`}
            idOf={(page) => pageElementId({ fileId: file.id, page })}
            failure={(retry) => <LoadFailure onRetry={retry} />}
            overlay={(page) => {
              const size = file.pages[page - 1]
              return (
                size && (
                  <EditorPage
                    document={document}
                    editor={editor}
                    target={{ fileId: file.id, page }}
                    size={size}
                    recipientId={recipientId}
                    onActive={() => onActive({ fileId: file.id, page })}
                  />
                )
              )
            }}
          />
        ))}
      </div>
    </section>
  )
}

const LoadFailure = ({ onRetry }: { onRetry: () => void }) => (
  <div role="alert" className="flex items-center gap-3 rounded-panel bg-bad-wash px-4 py-3">
    <CircleAlert aria-hidden className="size-4 shrink-0 text-bad" />
    <span className="flex-1">The document couldn’t be loaded.</span>
    <Button size="small" onClick={onRetry}>
      Try again
    </Button>
  </div>
)
