import { Marked } from 'marked'
import { escapeHtml } from '../html.ts'

const marked = new Marked({ renderer: { html: ({ text }) => escapeHtml(text) } })

export const inlineMarkdown = (text: string): string => marked.parseInline(text, { async: false })
export const blockMarkdown = (text: string): string => marked.parse(text, { async: false })
