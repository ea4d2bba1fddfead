/** A page of the help: the menu, the text, and what is on the page. Works without scripts, apart from the search. */
import { escapeHtml } from './html.ts'
import { relativeTo } from './links.ts'
import type { Heading } from './markdown.ts'

export interface MenuGroup {
  title: string
  items: readonly { path: string; title: string }[]
  /** Folded while another group's page is open. */
  isLong?: boolean
}

interface Page {
  path: string
  title: string
  html: string
  headings: readonly Heading[]
  menu: readonly MenuGroup[]
  /** No title above it and no list of headings beside it. */
  isHome?: boolean
}

const menuHtml = (menu: readonly MenuGroup[], path: string): string =>
  menu
    .map(({ title, items, isLong }) => {
      const links = items
        .map((item) => {
          const current = item.path === path ? ' aria-current="page"' : ''
          return `<li><a href="${relativeTo(path, item.path)}"${current}>${escapeHtml(item.title)}</a></li>`
        })
        .join('')
      if (!isLong) return `<section><h2>${escapeHtml(title)}</h2><ul>${links}</ul></section>`
      const open = items.some((item) => item.path === path) ? ' open' : ''
      return `<details${open}><summary>${escapeHtml(title)}</summary><ul>${links}</ul></details>`
    })
    .join('\n')

const contentsHtml = (headings: readonly Heading[]): string => {
  const shown = headings.filter(({ level }) => level === 2 || level === 3)
  if (shown.length < 2) return ''
  const items = shown.map(
    ({ level, text, id }) => `<li class="l${level}"><a href="#${id}">${escapeHtml(text)}</a></li>`,
  )
  return `<nav class="contents" aria-label="On this page"><h2>On this page</h2><ul>${items.join('')}</ul></nav>`
}

export const layout = ({ path, title, html, headings, menu, isHome = false }: Page): string => {
  const base = '../'.repeat(path.split('/').length - 1)
  const page = isHome ? 'Chancery help' : `${escapeHtml(title)} · Chancery help`
  return `<!doctype html>
<html lang="en" data-base="${base || './'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="#f1ede5">
<title>${page}</title>
<link rel="icon" type="image/svg+xml" href="${base}assets/favicon.svg">
<link rel="stylesheet" href="${base}assets/help.css">
<script src="${base}assets/theme.js"></script>
<script type="module" src="${base}assets/help.js"></script>
</head>
<body${isHome ? ' class="home"' : ''}>
<a class="skip" href="#main">Skip to content</a>
<header>
<button type="button" class="menu-button" aria-expanded="false" aria-controls="menu">Menu</button>
<a class="brand" href="${base}index.html" aria-label="Chancery help"><img src="${base}assets/favicon.svg" alt="" width="24" height="24"><span>Chancery</span> <span class="soft">Help</span></a>
<div class="search" role="search">
<input type="search" role="combobox" aria-expanded="false" aria-controls="results" aria-autocomplete="list" aria-label="Search the help" placeholder="Search  /" autocomplete="off" spellcheck="false" disabled>
<div class="results" id="results" role="listbox" aria-label="Search results" hidden></div>
</div>
<button type="button" class="theme-button" hidden>Theme</button>
<a class="app" href="/">Open the app</a>
</header>
<div class="columns">
<nav class="menu" id="menu" aria-label="Help">
${menuHtml(menu, path)}
</nav>
<main id="main" tabindex="-1">
<article>
${html}
</article>
</main>
${isHome ? '' : contentsHtml(headings)}
</div>
</body>
</html>
`
}
