/** The page around the signing steps: title, other options, and the pages of all files. */
import { CircleAlert, Download, Ellipsis, MailX, UserRoundPen, XCircle } from 'lucide-react'
import { type ReactNode, useCallback } from 'react'
import { Seal } from '#ui/brand/seal.tsx'
import { Button, IconButton } from '#ui/button/button.tsx'
import { Menu, MenuItem } from '#ui/overlay/menu.tsx'
import { PageTitle } from '#ui/page/page-title.tsx'
import { PdfFile } from '../pdf/pdf-file.tsx'
import { type Facts, fileUrl } from './api.ts'
import { PageFields } from './fields/page-fields.tsx'
import { useSigning } from './signing-context.ts'

interface SigningFrameProps {
  facts: Facts
  currentId: string | undefined
  onChoose: (fieldId: string) => void
  onDecline: () => void
  onDelegate: () => void
  children: ReactNode
}

export function SigningFrame({ facts, currentId, onChoose, onDecline, onDelegate, children }: SigningFrameProps) {
  const { title, sender } = facts.document
  return (
    <div className="flex min-h-dvh flex-col bg-desk">
      <PageTitle>{title}</PageTitle>
      <header className="sticky top-0 z-20 flex items-center gap-3 border-b bg-surface px-4 py-2.5">
        <Seal className="size-8" />
        <div className="min-w-0 flex-1">
          <h1 className="truncate font-medium font-serif text-md">{title}</h1>
          <p className="truncate text-faint text-sm">{sender.organization ?? sender.name}</p>
        </div>
        <Options facts={facts} onDecline={onDecline} onDelegate={onDelegate} />
      </header>
      <main className="mx-auto flex w-full max-w-3xl flex-1 flex-col gap-3 px-2 py-3 sm:gap-5 sm:px-6 sm:py-6">
        <Files facts={facts} currentId={currentId} onChoose={onChoose} />
      </main>
      {children}
    </div>
  )
}

function Options({ facts, onDecline, onDelegate }: Pick<SigningFrameProps, 'facts' | 'onDecline' | 'onDelegate'>) {
  const { token, texts } = useSigning()
  const { files, allowDelegation } = facts.document
  return (
    <div className="relative">
      <Menu trigger={<IconButton label={texts.read.more} icon={Ellipsis} />}>
        {files.map(({ id, name }) => (
          <MenuItem key={id} icon={Download} onSelect={() => save(fileUrl(token, id))}>
            {files.length === 1 ? texts.read.download : `${texts.read.download}: ${name}`}
          </MenuItem>
        ))}
        {facts.canComplete && allowDelegation && (
          <MenuItem icon={UserRoundPen} onSelect={onDelegate}>
            {texts.read.delegate}
          </MenuItem>
        )}
        {facts.canComplete && (
          <MenuItem icon={XCircle} tone="bad" onSelect={onDecline}>
            {texts.read.decline}
          </MenuItem>
        )}
        <MenuItem icon={MailX} onSelect={() => location.assign(`/sign/${encodeURIComponent(token)}/stop`)}>
          {texts.stop.title}
        </MenuItem>
      </Menu>
    </div>
  )
}

/** The server names the file and sends it as a download. */
const save = (url: string) => {
  const link = document.createElement('a')
  link.href = url
  link.download = ''
  link.click()
}

function Files({ facts, currentId, onChoose }: Pick<SigningFrameProps, 'facts' | 'currentId' | 'onChoose'>) {
  const { token, texts } = useSigning()
  const { files } = facts.document
  const pageCount = files.reduce((sum, file) => sum + file.pageCount, 0)
  const failure = useCallback(
    (retry: () => void) => (
      <div role="alert" className="flex items-center gap-3 rounded-panel bg-bad-wash px-4 py-3">
        <CircleAlert aria-hidden className="size-4 shrink-0 text-bad" />
        <span className="flex-1">{texts.pdfFailed}</span>
        <Button size="small" onClick={retry}>
          {texts.tryAgain}
        </Button>
      </div>
    ),
    [texts],
  )
  return files.map((file, position) => {
    const before = files.slice(0, position).reduce((sum, { pageCount: count }) => sum + count, 0)
    return (
      <PdfFile
        key={file.id}
        source={{ url: fileUrl(token, file.id), pages: file.pages }}
        labelOf={(page) => texts.page(before + page, pageCount)}
        failure={failure}
        overlay={(page) => {
          const size = file.pages[page - 1]
          const fields = facts.fields.filter((field) => field.fileId === file.id && field.page === page)
          return (
            size && <PageFields facts={facts} fields={fields} page={size} currentId={currentId} onChoose={onChoose} />
          )
        }}
      />
    )
  })
}
