/** Reads search parameters. They can contain anything, so every value is checked. */

type Search = Record<string, unknown>

export const textOf = <Name extends string>(search: Search, name: Name): { [key in Name]?: string } => {
  const value = search[name]
  return typeof value === 'string' && value !== '' ? ({ [name]: value } as { [key in Name]?: string }) : {}
}

/** `?invite=1`: present or not. */
export const flagOf = <Name extends string>(search: Search, name: Name): { [key in Name]?: true } =>
  search[name] === undefined ? {} : ({ [name]: true } as { [key in Name]?: true })

const lastPage = 100_000

export const pageOf = (search: Search): { page?: number } => {
  const page = Number(search.page)
  return Number.isInteger(page) && page > 1 && page <= lastPage ? { page } : {}
}

/** `?sort=name` or `?sort=-name`; a name that the list doesn't have is ignored. */
export const sortOf = (search: Search, ...names: readonly string[]): { sort?: string } => {
  const { sort } = search
  return typeof sort === 'string' && names.includes(sort.replace(/^-/, '')) ? { sort } : {}
}
