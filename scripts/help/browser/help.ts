/** What pages of the help can do with scripts: search, copy code, change the theme, open the menu on a phone. */
import { startSearch } from './search.ts'

const find = <E extends HTMLElement>(selector: string): E | null => document.querySelector<E>(selector)

const input = find<HTMLInputElement>('.search input')
const results = find('#results')
if (input && results) startSearch(input, results)

for (const button of document.querySelectorAll<HTMLButtonElement>('.copy')) {
  button.hidden = !navigator.clipboard
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(button.parentElement?.querySelector('code')?.textContent ?? '')
    button.textContent = 'Copied'
    setTimeout(() => {
      button.textContent = 'Copy'
    }, 1500)
  })
}

/** The app's own choice: both remember it under this name. */
const themeKey = 'chancery.theme'
const theme = find<HTMLButtonElement>('.theme-button')
const nameTheme = (): void => {
  const isDark = document.documentElement.dataset.theme === 'dark'
  if (theme) theme.textContent = isDark ? 'Light' : 'Dark'
  if (theme) theme.ariaLabel = isDark ? 'Use the light theme' : 'Use the dark theme'
}
if (theme) {
  theme.hidden = false
  nameTheme()
  theme.addEventListener('click', () => {
    const next = document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark'
    document.documentElement.dataset.theme = next
    nameTheme()
    try {
      localStorage.setItem(themeKey, next)
    } catch {
      // Storage may be blocked; the choice is for this page then.
    }
  })
}

const menuButton = find<HTMLButtonElement>('.menu-button')
const openMenu = (isOpen: boolean): void => {
  document.body.classList.toggle('menu-open', isOpen)
  menuButton?.setAttribute('aria-expanded', String(isOpen))
}
menuButton?.addEventListener('click', () => openMenu(!document.body.classList.contains('menu-open')))
document.addEventListener('keydown', ({ key }) => key === 'Escape' && openMenu(false))
find('[aria-current="page"]')?.scrollIntoView({ block: 'nearest' })

/** The heading that is read is marked in the list beside the text. */
const links = new Map(
  Array.from(document.querySelectorAll<HTMLAnchorElement>('.contents a'), (link) => [link.hash.slice(1), link]),
)
const watch = new IntersectionObserver(
  (seen) => {
    const [first] = seen.filter((entry) => entry.isIntersecting)
    if (!first) return
    for (const link of links.values()) link.classList.remove('here')
    links.get(first.target.id)?.classList.add('here')
  },
  { rootMargin: '-72px 0px -70% 0px' },
)
for (const id of links.keys()) {
  const heading = document.getElementById(id)
  if (heading) watch.observe(heading)
}
