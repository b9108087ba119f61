import { Component, type ReactNode } from "react";

interface Props {
  readonly children: ReactNode;
}

export class ErrorBoundary extends Component<Props, { readonly message: string | undefined }> {
  override state = { message: undefined };

  static getDerivedStateFromError(error: unknown): { message: string } {
    return { message: error instanceof Error ? error.message : String(error) };
  }

  override render(): ReactNode {
    if (this.state.message === undefined) return this.props.children;
    return (
      <main className="page-error" role="alert">
        <h1>The page cannot go on</h1>
        <p>Your threads are stored and were not touched. Reload to open them again.</p>
        <p className="page-error-detail">{this.state.message}</p>
        <button type="button" className="button primary" onClick={() => location.reload()}>
          Reload
        </button>
      </main>
    );
  }
}
