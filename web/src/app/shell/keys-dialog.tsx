/** The keyboard shortcuts of the current page. They are read from what is registered, so the help can't be out of date. */
import { useState } from 'react'
import { activeShortcuts, type Shortcut } from '#lib/keyboard/keyboard.ts'
import { Kbd } from '#ui/button/kbd.tsx'
import { Dialog } from '#ui/overlay/dialog.tsx'

const general = 'On this page'

/** Two tables on one page have the same keys. */
const inGroups = () => {
  const unique = new Map(activeShortcuts().map((one) => [`${one.group} ${one.keys} ${one.label}`, one]))
  return Object.entries(Object.groupBy(unique.values(), ({ group = general }) => group))
}

export function KeysDialog({ onClose }: { onClose: () => void }) {
  const [groups] = useState(inGroups)
  return (
    <Dialog title="Keyboard shortcuts" hint="Single-key shortcuts are off while you type." isOpen onClose={onClose}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the list is longer than a phone, and scrolls by keyboard */}
      <div tabIndex={0} className="flex flex-col gap-6 outline-none">
        {groups.map(([group, shortcuts = []]) => (
          <Group key={group} title={group} shortcuts={shortcuts} />
        ))}
      </div>
    </Dialog>
  )
}

const Group = ({ title, shortcuts }: { title: string; shortcuts: readonly Shortcut[] }) => (
  <section aria-label={title}>
    <h3 className="font-medium text-faint text-xs">{title}</h3>
    <dl className="grid gap-x-8 sm:grid-cols-2">
      {shortcuts.map(({ keys, label }) => (
        <div key={`${keys} ${label}`} className="flex items-center justify-between gap-4 border-b py-2">
          <dt>{label}</dt>
          <dd>
            <Kbd keys={keys} />
          </dd>
        </div>
      ))}
    </dl>
  </section>
)
