/** Modal dialogs. The focus moves in, stays inside, and returns to where it was. */
import { X } from 'lucide-react'
import { AlertDialog as Ask, Dialog as Base } from 'radix-ui'
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { Button, IconButton } from '#ui/button/button.tsx'
import { cx } from '#ui/class-names.ts'

/** As high as the box: a dialog over another one covers it. */
const overlay = 'fixed inset-0 z-50 animate-fade bg-[rgb(20_22_28/0.45)]'
const box = cx(
  'fixed z-50 flex max-h-[calc(100dvh-2rem)] animate-rise flex-col overflow-hidden rounded-panel bg-raised shadow-float',
  'inset-x-4 bottom-4 sm:inset-x-auto sm:bottom-auto sm:top-[12vh] sm:max-h-[calc(88dvh-1rem)] sm:left-1/2 sm:w-full sm:-translate-x-1/2',
)

interface DialogProps {
  title: string
  /** One sentence under the title. */
  hint?: ReactNode
  isOpen: boolean
  onClose: () => void
  isWide?: boolean
  /** Prevents closing by accident what can't be shown again. */
  isSticky?: boolean
  /** Closes without asking: what is typed here is no work. */
  isDisposable?: boolean
  children: ReactNode
}

type Entry = HTMLInputElement | HTMLTextAreaElement

/** The fields that were typed into. A search only narrows down what is shown, so nothing is lost with it. */
function useEntries() {
  const entries = useRef(new Set<Entry>())
  return {
    note: ({ target }: FormEvent) => {
      const isEntry = target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement
      if (isEntry && !target.matches('[type=search], [role=combobox]')) entries.current.add(target)
    },
    // A field that is gone has been saved: the dialog shows its result.
    hasText: () => [...entries.current].some(({ isConnected, value }) => isConnected && value !== ''),
  }
}

/** Asks before Esc, the close button or a click outside discards typed text. */
export function Dialog({ title, hint, isOpen, onClose, isWide = false, children, ...how }: DialogProps) {
  const { isSticky = false, isDisposable = false } = how
  const entries = useEntries()
  const [isAsking, setAsking] = useState(false)
  const preventIfSticky = (event: Event) => isSticky && event.preventDefault()
  const close = () => (!isDisposable && entries.hasText() ? setAsking(true) : onClose())
  return (
    <Base.Root open={isOpen} onOpenChange={(open) => !open && close()}>
      <Base.Portal>
        <Base.Overlay className={overlay} />
        <Base.Content
          className={cx(box, isWide ? 'sm:max-w-2xl' : 'sm:max-w-lg')}
          onInteractOutside={preventIfSticky}
          onInput={entries.note}
          {...(hint === undefined && { 'aria-describedby': undefined })}
        >
          <header className="py-5 pr-14 pl-6">
            <Base.Title className="font-medium font-serif text-lg">{title}</Base.Title>
            {hint !== undefined && <Base.Description className="mt-1 text-soft">{hint}</Base.Description>}
          </header>
          <div className="scroll-pb-20 overflow-y-auto px-6 pb-6">{children}</div>
          {/* Last in DOM order, so the focus starts at the content. */}
          <Base.Close asChild>
            <IconButton label="Close" icon={X} className="absolute top-4 right-4" />
          </Base.Close>
        </Base.Content>
      </Base.Portal>
      <Confirm
        title="Discard what you entered?"
        loss="It hasn’t been saved."
        action="Discard"
        isOpen={isOpen && isAsking}
        isPending={false}
        onConfirm={() => {
          setAsking(false)
          onClose()
        }}
        onClose={() => setAsking(false)}
      />
    </Base.Root>
  )
}

/** The footer of the dialog or its form; it stays visible however long the content is. */
export function DialogActions({ children }: { children: ReactNode }) {
  return (
    <div className="sticky -bottom-6 z-[5] -mx-6 mt-4 -mb-6 border-t bg-raised px-6 py-4">
      <Row>{children}</Row>
    </div>
  )
}

const Row = ({ children }: { children: ReactNode }) => (
  <div className="flex flex-wrap-reverse gap-2 max-sm:*:flex-1 sm:justify-end">{children}</div>
)

interface ConfirmProps {
  title: string
  /** Says what will be lost, or what will happen. */
  loss: ReactNode
  action: string
  isOpen: boolean
  isPending: boolean
  onConfirm: () => void
  onClose: () => void
}

export function Confirm({ title, loss, action, isOpen, isPending, onConfirm, onClose }: ConfirmProps) {
  return (
    <Ask.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Ask.Portal>
        <Ask.Overlay className={overlay} />
        <Ask.Content className={cx(box, 'p-6 sm:max-w-md')}>
          <Ask.Title className="font-medium font-serif text-lg">{title}</Ask.Title>
          <Ask.Description asChild>
            <div className="mt-2 text-soft">{loss}</div>
          </Ask.Description>
          <div className="mt-6">
            <Row>
              <Ask.Cancel asChild>
                <Button>Cancel</Button>
              </Ask.Cancel>
              <Button look="danger" isPending={isPending} onClick={onConfirm}>
                {action}
              </Button>
            </Row>
          </div>
        </Ask.Content>
      </Ask.Portal>
    </Ask.Root>
  )
}
