/** A page or drawing from a reply, running in a sandboxed frame beside the conversation. */
import { Download, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { saveFile } from '#lib/browser/save-file.ts'
import { IconButton } from '#ui/button/button.tsx'
import { closePreview, useOpenPreview } from './open-preview.ts'
import { pageOf } from './preview.ts'
import { SandboxFrame } from './sandbox-frame.tsx'

const types = { html: 'text/html', svg: 'image/svg+xml' } as const

/** Closed when another chat is opened. */
export function PreviewPanel({ chatId }: { chatId: string | undefined }) {
  const preview = useOpenPreview()
  const panel = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the preview belongs to the chat that was left
  useEffect(() => closePreview, [chatId])
  useEffect(() => {
    if (preview) panel.current?.focus()
  }, [preview])
  if (!preview) return null
  const { kind, code } = preview
  return (
    <aside
      ref={panel}
      tabIndex={-1}
      aria-label="Preview"
      onKeyDown={(event) => event.key === 'Escape' && closePreview()}
      className="flex flex-col border-l bg-ground outline-none max-lg:fixed max-lg:inset-0 max-lg:z-40 max-lg:pb-[env(safe-area-inset-bottom)] lg:w-[45%] lg:shrink-0"
    >
      <header className="flex h-14 shrink-0 items-center gap-1 border-b px-4">
        <h2 className="min-w-0 flex-1 truncate font-medium">Preview</h2>
        <IconButton label="Download" icon={Download} onClick={() => saveFile(`preview.${kind}`, code, types[kind])} />
        <IconButton label="Close preview" icon={X} onClick={closePreview} />
      </header>
      <SandboxFrame
        key={code}
        title="Preview of the code"
        html={pageOf(preview)}
        network="blocked"
        className="min-h-0 w-full flex-1 bg-white [color-scheme:light]"
      />
      <p className="border-t px-4 py-2 text-faint text-sm">
        Runs in isolation, without access to your account. Requests to other sites are blocked.
      </p>
    </aside>
  )
}
