/** Keyboard shortcuts: `mod+k`, `g c`. */
import { isMac } from '#lib/keyboard/keyboard.ts'

const names: Record<string, string> = {
  mod: isMac ? '⌘' : 'Ctrl',
  shift: isMac ? '⇧' : 'Shift',
  alt: isMac ? '⌥' : 'Alt',
  Escape: 'Esc',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  Enter: '↵',
  Space: 'Space',
  Delete: 'Del',
}

export function Kbd({ keys }: { keys: string }) {
  return (
    <span className="inline-flex shrink-0 gap-1">
      {keys.split(/[ +]/).map((key) => (
        <kbd
          key={key}
          className="min-w-5 rounded border border-b-rule bg-surface px-1 text-center font-mono text-soft text-xs"
        >
          {names[key] ?? key.toUpperCase()}
        </kbd>
      ))}
    </span>
  )
}
