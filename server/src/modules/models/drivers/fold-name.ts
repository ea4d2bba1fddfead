/**
 * A field's name as servers written in Go compare it: `API_BASE`, and `api_baſe` with a long s, are `api_base` to them.
 * Code that keeps a field from a server compares names so.
 */
export const foldName = (name: string): string => name.toUpperCase().toLowerCase()
