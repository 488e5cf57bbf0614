// A text as a file that the browser saves.

export function saveText(text: string, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/x-chess-pgn' }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
