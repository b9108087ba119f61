import { activateUpdate, useUpdate } from "../offline/registration.ts";

export function UpdateNotice() {
  return (
    <div role="status">
      {useUpdate() && (
        <p className="update">
          A new version is here.{" "}
          <button type="button" className="link" onClick={activateUpdate}>
            Reload
          </button>
        </p>
      )}
    </div>
  );
}
