/** Cycles through light, dark and system theme. */
import { Monitor, Moon, Sun } from 'lucide-react'
import { chooseTheme, type Theme, useTheme } from '#lib/browser/theme.ts'
import { IconButton } from '#ui/button/button.tsx'

export const themes = [
  { value: 'system', label: 'System', icon: Monitor },
  { value: 'light', label: 'Light', icon: Sun },
  { value: 'dark', label: 'Dark', icon: Moon },
] as const satisfies readonly { value: Theme; label: string; icon: typeof Sun }[]

export function ThemeButton() {
  const theme = useTheme()
  const index = themes.findIndex(({ value }) => value === theme)
  const current = themes[index] ?? themes[0]
  const next = themes[(index + 1) % themes.length] ?? themes[0]
  return (
    <IconButton
      label={`Theme: ${current.label.toLowerCase()}`}
      icon={current.icon}
      onClick={() => chooseTheme(next.value)}
    />
  )
}
